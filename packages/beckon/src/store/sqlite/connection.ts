import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../driver.ts';
import type { Table } from '../tables.ts';

// FULL: an acknowledged write survives a power loss. 64 MiB of pages keep the indexes of a large store in memory. A
// checkpoint syncs twice more, so it comes every 16 MiB instead of every 4.
const SETTINGS = 'pragma synchronous = full; pragma cache_size = -65536; pragma wal_autocheckpoint = 4000';

/** One connection to a file, with its prepared statements. Everything is synchronous. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #isSet = false;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
  }

  exec(sql: string): void {
    this.#useSettings();
    this.#database.exec(sql);
  }

  all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  run(sql: string, values: readonly SqlValue[]): void {
    this.#prepare(sql).run(...values);
  }

  findIn<Row>(table: Table<Row>, column: keyof Row & string, values: readonly string[]): Row[] {
    const select = `select ${Object.keys(table.columns).join(', ')} from ${table.name} where ${column}`;
    // A commit usually looks for one, for which a JSON list would cost more than the lookup.
    return values.length === 1
      ? this.all(`${select} = $1`, values)
      : this.all(`${select} in (select value from json_each($1))`, [JSON.stringify(values)]);
  }

  insert<Row>(table: Table<Row>, rows: readonly Row[]): void {
    const columns = Object.keys(table.columns) as (keyof Row & string)[];
    const places = columns.map((_, index) => `$${index + 1}`);
    const statement = this.#prepare(`insert into ${table.name} (${columns.join(', ')}) values (${places.join(', ')})`);
    for (const row of rows) statement.run(...columns.map((column) => row[column] as SqlValue));
  }

  update<Row>(table: Table<Row>, rows: readonly Row[], guard: string): number {
    const columns = Object.keys(table.columns) as (keyof Row & string)[];
    const [key, ...changes] = columns.map((column, index) => `${column} = $${index + 1}`);
    const statement = this.#prepare(`update ${table.name} set ${changes.join(', ')} where ${key} and ${guard}`);
    let updated = 0;
    for (const row of rows) {
      updated += Number(statement.run(...columns.map((column) => row[column] as SqlValue)).changes);
    }
    return updated;
  }

  /** A number that changes when another connection, of this process or another, has committed. */
  dataVersion(): number | undefined {
    return this.all<{ data_version: number }>('pragma data_version')[0]?.data_version;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  // They read the file, which another process may be holding; the user of the connection knows how to wait.
  #useSettings(): void {
    if (this.#isSet) return;
    this.#database.exec(SETTINGS);
    this.#isSet = true;
  }

  #prepare(sql: string): StatementSync {
    this.#useSettings();
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    // To SQLite `$1` is a name; `?1` is the same parameter by number.
    const statement = this.#database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    this.#statements.set(sql, statement);
    return statement;
  }
}
