import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Beckon is, and the token to come in with, where there is one. */
export interface HookAddress {
  url: string;
  token: string | undefined;
}

/** The token that hooks use, beside that of the person: it may ask, and nothing else. */
export const HOOK_TOKEN_FILE = 'claude-code.token';

/** Finds Beckon as the other commands do, without those of their checks that take longer than the hook itself. `null`: it does not run. */
export function findAddress(env: NodeJS.ProcessEnv = process.env): HookAddress | null {
  const home = findHome(env);
  const config = readJson(join(home, 'beckon.config.json'));
  const host = env['BECKON_HOST'] || textOf(config['host']);
  const port = env['BECKON_PORT'] || textOf(config['port']);
  const daemonUrl = findDaemonUrl(home);
  // Port 0 is any that is free.
  const isSet = host !== undefined || (port !== undefined && port !== '0');
  const url = isSet ? toUrl(host ?? '127.0.0.1', port ?? '8228') : daemonUrl;
  if (url === undefined) return null;
  // The tokens of the files belong to this machine.
  const isHere = url === daemonUrl || /^http:\/\/(?:127(?:\.\d+){3}|localhost|\[::1\]):/.test(url);
  const own = isHere ? (readText(join(home, HOOK_TOKEN_FILE)) ?? readText(join(home, 'token'))) : undefined;
  return { url, token: env['BECKON_TOKEN'] || own };
}

/** The folder of Beckon. */
export function findHome(env: NodeJS.ProcessEnv = process.env): string {
  return env['BECKON_HOME'] ? resolve(env['BECKON_HOME']) : join(homedir(), '.beckon');
}

// A daemon that was killed leaves its file behind, and another program may get its port.
function findDaemonUrl(home: string): string | undefined {
  const { pid, url } = readJson(join(home, 'daemon.json'));
  return isRunning(pid) ? textOf(url) : undefined;
}

function isRunning(pid: unknown): boolean {
  // In a container every start may have the same number.
  if (typeof pid !== 'number' || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function toUrl(host: string, port: string): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

function readJson(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readText(path) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
