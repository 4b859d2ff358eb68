// Builds the inbox page into packages/beckon/dist/inbox, and the stylesheet of cards, if their files have changed.
// Build the package first.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCardsCss, cardsCss } from './cards-css.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'apps', 'inbox');
const output = join(root, 'packages', 'beckon', 'dist', 'inbox', 'index.html');
const stamp = join(root, 'node_modules', '.cache', 'beckon', 'page-stamp');
/** The page's own files, and those of the package that end up in it. */
const SOURCES = [
  'apps/inbox',
  ...'calls client components core diff presentation protocol react risk rules timing'
    .split(' ')
    .map((part) => `packages/beckon/src/${part}`),
];

process.exitCode = await buildPage();

/** @returns {Promise<number>} the exit code */
async function buildPage() {
  if (!existsSync(join(page, 'vite.config.ts'))) return 0;
  const found = fingerprint();
  if (existsSync(output) && existsSync(cardsCss) && existsSync(stamp) && readFileSync(stamp, 'utf8') === found)
    return 0;
  process.stdout.write('building the inbox page\n');
  const started = Date.now();
  await buildCardsCss();
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: page,
    stdio: 'inherit',
  });
  if (status !== 0 || !existsSync(output)) {
    process.stderr.write('The inbox page could not be built; vite’s messages are above.\n');
    return 1;
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, found);
  process.stdout.write(`built the inbox page in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  return 0;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'scripts/cards-css.mjs']) hash.update(readFileSync(join(root, file)));
  for (const folder of SOURCES) {
    if (!existsSync(join(root, folder))) continue;
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('node_modules') && !/\.test(?:suite)?\.tsx?$/.test(path))
      .sort();
    for (const path of files) hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest('hex');
}
