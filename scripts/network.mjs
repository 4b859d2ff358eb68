// Finds what the tests between machines need: network namespaces (iproute2, root) and nginx as a reverse proxy. Brings
// what is missing if this machine allows that. Prints what it does.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where nginx is unpacked: an installed one would run as a service from then on. */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/beckon-nginx', import.meta.url));
/** Not everybody has them on the PATH. */
const PLACES = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** Debian has moved the program from one package to another. */
const PACKAGES = ['nginx', 'nginx-core', 'nginx-light'];

/** The path of nginx, or `undefined`. `BECKON_NGINX` names another one. */
export function findNginx() {
  const unpacked = join(FOLDER, 'usr', 'sbin', 'nginx');
  return [process.env['BECKON_NGINX'], ...listPlaces('nginx'), unpacked].find((path) => path && existsSync(path));
}

/** Why this machine cannot have networks of its own for tests; `null` if it can. */
export function findNetworkFault() {
  if (process.platform !== 'linux') return 'network namespaces are a part of Linux';
  if (process.getuid?.() !== 0) return 'only root may create network namespaces';
  if (!listPlaces('ip').some((path) => existsSync(path))) return 'the command "ip" (iproute2) is missing';
  const name = `beckon-try-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  spawnSync('ip', ['netns', 'delete', name], { stdio: 'ignore' });
  return made.status === 0 ? null : `network namespaces cannot be created here: ${made.stderr.trim()}`;
}

/** @param {string} name */
function listPlaces(name) {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...PLACES].map((folder) => join(folder, name));
}

if (import.meta.main) process.exitCode = bringNetwork();

/** @returns {number} the exit code */
function bringNetwork() {
  bring();
  const nginx = findNginx();
  const faults = [findNetworkFault(), nginx === undefined ? 'there is no nginx' : null].filter(
    (fault) => fault !== null,
  );
  if (faults.length === 0) {
    console.log(`The tests between machines run in network namespaces, with ${nginx}.`);
    return 0;
  }
  console.error(`The tests between machines cannot run: ${faults.join('; ')}.`);
  if (process.env['CI']) return 1;
  console.error('Until then they are counted as skipped.');
  return 0;
}

function bring() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const hasIp = listPlaces('ip').some((path) => existsSync(path));
  if (hasIp && findNginx() !== undefined) return;
  console.log('Bringing iproute2 and nginx with apt-get ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  // apt-get finds nothing without its package lists, and an old list names packages that are gone.
  spawnSync('apt-get', ['update', '-qq'], options);
  if (!hasIp) spawnSync('apt-get', ['install', '-y', '-qq', 'iproute2'], options);
  mkdirSync(FOLDER, { recursive: true });
  for (const name of PACKAGES) {
    if (findNginx() !== undefined) return;
    spawnSync('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', name], { ...options, cwd: FOLDER });
    for (const file of readdirSync(FOLDER).filter((one) => one.startsWith(`${name}_`)))
      spawnSync('dpkg-deb', ['-x', join(FOLDER, file), FOLDER], options);
  }
}
