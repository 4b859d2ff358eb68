import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPython } from '../callback/contenders.ts';

/** The peers that npm brings, each from its own lock, so that the repository's lock does not grow by theirs. */
export type PeerName = 'restate' | 'dbos' | 'langgraph';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = fileURLToPath(new URL('./packages', import.meta.url));
const run = promisify(execFile);

/** The folder of an installed peer. Installs it first if its lock changed. Throws if npm cannot bring it. */
export async function installPeer(name: PeerName): Promise<string> {
  const source = join(packages, name);
  const folder = join(root, '.toolchain', 'peers', name);
  const stampFile = join(folder, 'stamp');
  const stamp = toStamp(join(source, 'package-lock.json'));
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return folder;
  console.log(`${name}: installing the locked version; it is kept for later runs`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(source, file), join(folder, file));
  await runNpm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  writeFileSync(stampFile, stamp);
  return folder;
}

/** The version of a module of a peer that is installed. */
export function readVersion(folder: string, module: string): string {
  const path = join(folder, 'node_modules', module, 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/** A Python with FastAPI and uvicorn. Debian's packages bring both if this is root. Throws if there is none. */
export async function installFastApi(): Promise<string> {
  const python = await findPython();
  if (python !== null) return python;
  const names = ['python3-fastapi', 'python3-uvicorn', 'python3-uvloop', 'python3-httptools'];
  const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (!isDebian) throw new Error('no Python with fastapi and uvicorn here; BENCH_PYTHON may name one');
  console.log(`fastapi: installing ${names.join(', ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
  const installed = await findPython();
  if (installed === null) throw new Error('apt-get brought no Python with fastapi and uvicorn');
  return installed;
}

/** What this Python has, as `FastAPI 0.92.0, uvicorn 0.17.6, Python 3.11.2`. */
export function describePython(python: string): string {
  const text =
    "'FastAPI', fastapi.__version__ + ', uvicorn', uvicorn.__version__ + ', Python', platform.python_version()";
  return execFileSync(python, ['-c', `import fastapi, uvicorn, platform; print(${text})`], { encoding: 'utf8' }).trim();
}

async function runNpm(cwd: string, args: readonly string[]): Promise<void> {
  const retries = ['--loglevel=error', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  try {
    await run('npm', [...args, ...retries], { cwd, timeout: 300_000 });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = stderr.split('\n').find((line) => line.startsWith('npm error')) ?? message.split('\n')[0];
    throw new Error(`npm ${args[0]} failed: ${reason}`, { cause: error });
  }
}

function toStamp(lock: string): string {
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');
  return `${process.platform}-${process.arch} ${digest}\n`;
}
