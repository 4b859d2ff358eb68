// Writes the table of docs/clients.md from what the suite of tests/clients left in a folder:
// BECKON_CLIENT_RESULTS=reports/clients npm run test:clients && node scripts/clients-table.mjs reports/clients
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toTable } from './toolchain/clients-table.mjs';

const BEGIN = '<!-- made by scripts/clients-table.mjs: begin -->';
const END = '<!-- made by scripts/clients-table.mjs: end -->';
const page = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'clients.md');
const folder = resolve(process.argv[2] ?? 'reports/clients');

const results = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
const text = readFileSync(page, 'utf8');
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${page} needs the lines\n${BEGIN}\n${END}`);
writeFileSync(page, `${before}${BEGIN}\n${toTable(results)}\n${END}${after}`);
