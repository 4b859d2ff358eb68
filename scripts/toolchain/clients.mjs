// The pinned agent clients of tests/clients: what there is, where it is installed, and whether it is in place. Used by
// scripts/clients.mjs, which brings them, and by the tests, which run them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packages = join(root, 'tests', 'clients', 'packages');
const toolchain = join(root, '.toolchain');

/**
 * @typedef {object} Client
 * @property {string} name
 * @property {string} title What people call it.
 * @property {number} megabytes What it takes on the disk.
 * @property {string} version
 * @property {string} command What a person types to run it.
 * @property {string} source The folder with its lock.
 * @property {string} folder Where it is installed.
 * @property {string} program
 */

/**
 * Every client that has a lock, in the order of their names. BECKON_CLIENTS names another folder to install them in.
 * Claude Code has a folder and a script of its own.
 * @returns {Client[]}
 */
export function listClients() {
  const folder = resolve(process.env['BECKON_CLIENTS'] ?? join(toolchain, 'clients'));
  return [
    toClient('claude-code', join(root, 'tests', 'claude-code', 'client'), join(toolchain, 'claude-code')),
    ...readdirSync(packages).map((name) => toClient(name, join(packages, name), join(folder, name))),
  ];
}

/**
 * @param {string} name
 * @param {string} source
 * @param {string} folder
 * @returns {Client}
 */
function toClient(name, source, folder) {
  const { client, dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const { title, megabytes, program, command = name } = client;
  const [, range] = Object.entries(dependencies).find(([module]) => program.includes(`/${module}/`)) ?? [];
  const version = /\d+\.\d+\.\d+/.exec(String(range))?.[0] ?? '';
  return { name, title, megabytes, version, command, source, folder, program: join(folder, program) };
}

/** @param {string} name @returns {Client} */
export function getClient(name) {
  const client = listClients().find((one) => one.name === name);
  if (client === undefined) throw new Error(`No client ${name} in ${packages}`);
  return client;
}

/**
 * Whether the version of the lock is installed.
 * @param {Client} client
 */
export function isInPlace(client) {
  const stamp = join(client.folder, 'stamp');
  return existsSync(client.program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === toStamp(client);
}

/**
 * What the folder of an installed client is marked with: the hash of its lock.
 * @param {Client} client
 */
export function toStamp({ source }) {
  const lock = readFileSync(join(source, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')}\n`;
}

/**
 * The command that runs a client: a program, or a script for our Node.
 * @param {Client} client
 * @returns {[string, ...string[]]}
 */
export function toCommand({ program }) {
  return program.endsWith('.js') ? [process.execPath, program] : [program];
}
