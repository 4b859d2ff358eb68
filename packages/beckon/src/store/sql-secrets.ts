import type { StoredSecrets } from '../core/stored-destinations.ts';
import type { Reader } from './driver.ts';
import type { Writer } from './writer.ts';

/** The shared secrets in the store's tables. */
export class SqlSecrets implements StoredSecrets {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async find(name: string): Promise<string | null> {
    const [row] = await this.#reader.all<{ value: string }>('select value from secrets where name = $1', [name]);
    return row === undefined ? null : (JSON.parse(row.value) as string);
  }

  keep({ name, value, at }: { name: string; value: string; at: string }): Promise<string> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        const [kept] = await transaction.all<{ value: string }>(
          `insert into secrets (name, value, created_at) values ($1, $2, $3)
           on conflict (name) do update set name = excluded.name returning value`,
          [name, JSON.stringify(value), Date.parse(at)],
        );
        return kept === undefined ? value : (JSON.parse(kept.value) as string);
      },
    });
  }
}
