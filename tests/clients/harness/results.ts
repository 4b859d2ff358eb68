import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getClient } from '../../../scripts/toolchain/clients.mjs';
import type { Cannot, CaseName, ClientDriver } from './driver.ts';

/** What came of one case. */
type Result = { passed: boolean; note?: string } | Cannot;

/**
 * What came of the cases of one client. If BECKON_CLIENT_RESULTS names a folder it is kept there, in a file for each
 * client, and `scripts/clients-table.mjs` makes the table of docs/clients.md of it.
 */
export class Results {
  readonly #driver: ClientDriver;
  readonly #cases: Partial<Record<CaseName, Result>> = {};

  constructor(driver: ClientDriver) {
    this.#driver = driver;
  }

  set(name: CaseName, result: Result): void {
    this.#cases[name] = result;
  }

  /** Keeps what is known, beside what a run of other cases of this version has left. */
  write(): void {
    const folder = process.env['BECKON_CLIENT_RESULTS'];
    if (folder === undefined) return;
    const { name, title, client } = this.#driver;
    const { version } = getClient(client);
    const path = join(folder, `${name}.json`);
    const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    const cases = { ...(before.version === version ? before.cases : {}), ...this.#cases };
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, `${JSON.stringify({ name, title, version, cases }, null, 2)}\n`);
  }
}
