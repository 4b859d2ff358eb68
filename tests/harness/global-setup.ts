import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStore } from '../../packages/beckon/src/open-store.ts';
import { startPostgres } from './postgres-server.ts';

/** No test cuts the power of the machine, and a process that is killed loses nothing that it handed to the system. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** Starts the shared Postgres before the first test, and returns what vitest calls after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: SETTINGS });
  project.provide('postgresUrl', server.url);
  project.provide('postgresReset', await createTemplate(await server.createDatabase('beckon_template')));
  return () => server.dispose();
}

/** Migrates a database for others to be copied from, and gives the SQL that makes a used copy like it again. */
async function createTemplate(url: string): Promise<string> {
  await (await openStore(url)).close();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'beckon'`,
    );
    const statements: string[] = [];
    for (const { name } of tables.rows) {
      const table = `beckon.${name}`;
      const { rows } = await client.query<object>(`select * from ${table}`);
      const first = client.escapeLiteral(JSON.stringify(rows));
      statements.push(
        `delete from ${table}`,
        `insert into ${table} select * from json_populate_recordset(null::${table}, ${first})`,
      );
    }
    return statements.join(';\n');
  } finally {
    await client.end();
  }
}
