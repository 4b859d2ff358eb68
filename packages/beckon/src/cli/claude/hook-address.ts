import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Beckon is, and the token to come in with. */
export interface HookAddress {
  url: string;
  token: string;
}

/** The token that hooks use, beside that of the person: it may ask, and nothing else. */
export const HOOK_TOKEN_FILE = 'claude-code.token';

/**
 * Finds Beckon as the other commands do, without their checks, which take longer than the hook itself. `null`: it does not run, or
 * there is no token.
 */
export function findAddress(env: NodeJS.ProcessEnv = process.env): HookAddress | null {
  const home = findHome(env);
  const config = readJson(join(home, 'beckon.config.json'));
  const host = env['BECKON_HOST'] || textOf(config['host']);
  const port = env['BECKON_PORT'] || textOf(config['port']);
  const url =
    host === undefined && port === undefined
      ? textOf(readJson(join(home, 'daemon.json'))['url'])
      : toUrl(host ?? '127.0.0.1', port ?? '8228');
  if (url === undefined) return null;
  // The tokens of the files belong to this machine.
  const isHere = /^http:\/\/(?:127(?:\.\d+){3}|localhost|\[::1\]):/.test(url);
  const token =
    env['BECKON_TOKEN'] ||
    (isHere ? (readText(join(home, HOOK_TOKEN_FILE)) ?? readText(join(home, 'token'))) : undefined);
  return token ? { url, token } : null;
}

/** The folder of Beckon. */
export function findHome(env: NodeJS.ProcessEnv = process.env): string {
  return env['BECKON_HOME'] ? resolve(env['BECKON_HOME']) : join(homedir(), '.beckon');
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
