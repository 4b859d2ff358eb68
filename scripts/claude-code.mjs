// Installs the real Claude Code for tests/claude-code into .toolchain/claude-code, outside git and the dependencies.
// If that is impossible it says so, and fails only on CI (CI=true).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'tests', 'claude-code', 'client');
const folder = join(root, '.toolchain', 'claude-code');
const stamp = join(folder, 'stamp');
const binary = join(folder, 'node_modules', '@anthropic-ai', 'claude-code-linux-x64', 'claude');
const platform = `${process.platform}-${process.arch}`;

if (platform !== 'linux-x64') giveUp(`it is pinned for linux-x64, and this is ${platform}`);
else if (isInPlace()) say('in place');
else bring();

function bring() {
  say('installing the locked version, 414 MB; it is kept for later runs');
  const started = Date.now();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(source, name), join(folder, name));
  const args = ['ci', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000');
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) return giveUp(error?.message ?? 'npm ci failed, see above');
  const version = spawnSync(binary, ['--version'], { encoding: 'utf8', env: { HOME: folder } }).stdout?.trim();
  if (!version) return giveUp(`${binary} does not run here`);
  writeFileSync(stamp, fingerprint());
  say(`${version}, in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function isInPlace() {
  return existsSync(binary) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

function fingerprint() {
  return `${createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex')}\n`;
}

/** @param {string} reason */
function giveUp(reason) {
  const isNeeded = process.env['CI'] === 'true';
  say(`not available: ${reason}. Its tests are ${isNeeded ? 'needed on CI' : 'counted as skipped'}.`);
  if (isNeeded) process.exitCode = 1;
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`Claude Code: ${line}\n`);
}
