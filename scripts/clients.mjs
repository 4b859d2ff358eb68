// Brings the real agent clients for tests/clients, each from its own lock, into .toolchain/clients. They stay there
// between runs, and BECKON_CLIENTS names another folder. Names say which; --all brings all, and without either it lists
// them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInPlace, listClients, toCommand, toStamp } from './toolchain/clients.mjs';

/** @typedef {import('./toolchain/clients.mjs').Client} Client */

const claudeCode = join(dirname(fileURLToPath(import.meta.url)), 'claude-code.mjs');
const platform = `${process.platform}-${process.arch}`;
const clients = listClients();
const names = process.argv.slice(2);
const unknown = names.filter((name) => name !== '--all' && clients.every((client) => client.name !== name));

if (unknown.length > 0)
  fail(`No client ${unknown.join(', ')}. There are: ${clients.map(({ name }) => name).join(', ')}`);
else if (names.length === 0) list();
else if (platform !== 'linux-x64') fail(`The clients are pinned for linux-x64, and this is ${platform}`);
else for (const client of clients) if (names.includes('--all') || names.includes(client.name)) bring(client);

function list() {
  for (const client of clients) {
    const size = `${client.megabytes} MB`;
    const state = isInPlace(client) ? 'in place' : 'not there';
    say(`${client.name.padEnd(18)}${client.version.padEnd(10)}${size.padStart(7)}  ${state}`);
  }
  say(`\nBring some with: node scripts/clients.mjs NAME…\nBring all with:  node scripts/clients.mjs --all`);
}

/** @param {Client} client */
function bring(client) {
  const { title, version, megabytes, source, folder } = client;
  if (isInPlace(client)) return say(`${title} ${version}: in place`);
  if (client.name === 'claude-code') {
    process.exitCode ||= spawnSync(process.execPath, [claudeCode], { stdio: 'inherit' }).status ?? 1;
    return;
  }
  say(`${title} ${version}: installing the locked version, ${megabytes} MB; it is kept for later runs`);
  const startedAt = Date.now();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(source, name), join(folder, name));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) return fail(`${title}: ${error?.message ?? 'npm ci failed, see above'}`);
  const problem = findProblem(client);
  if (problem !== undefined) return fail(`${title} does not run here: ${problem}`);
  writeFileSync(join(folder, 'stamp'), toStamp(client));
  say(`${title} ${version}: there after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/**
 * Asks the program for its version, in a HOME of its own. A download that was cut or is for another machine fails.
 * @param {Client} client
 */
function findProblem(client) {
  const [program, ...args] = toCommand(client);
  const options = /** @type {const} */ ({ encoding: 'utf8', timeout: 60_000, input: '' });
  const home = mkdtempSync(join(tmpdir(), 'beckon-client-'));
  const env = { PATH: process.env['PATH'], HOME: home };
  const { status, stderr, error } = spawnSync(program, [...args, '--version'], { ...options, env });
  rmSync(home, { recursive: true, force: true });
  return status === 0 ? undefined : (error?.message ?? stderr);
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}
