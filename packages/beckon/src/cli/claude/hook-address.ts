import { readFileSync } from 'node:fs';
import { DEFAULT_HOST, DEFAULT_PORT, toHome, toHomeFile } from '../../daemon/home.ts';
import { isLoopback, toReachable, toUrl } from '../../machine/address.ts';
import { isRunning } from '../../machine/is-running.ts';

/** Where Beckon is, and the token to come in with, where there is one. */
export interface HookAddress {
  url: string;
  token: string | undefined;
}

/** Finds Beckon as the other commands do, without those of their checks that take longer than the hook itself. `null`: it does not run. */
export function findAddress(env: NodeJS.ProcessEnv = process.env): HookAddress | null {
  const home = toHome(env);
  const config = readJson(toHomeFile(home, 'config'));
  const host = env['BECKON_HOST'] || textOf(config['host']);
  const port = env['BECKON_PORT'] || textOf(config['port']);
  const daemonUrl = findDaemonUrl(home);
  // Port 0 is any that is free.
  const isSet = host !== undefined || (port !== undefined && port !== '0');
  const url = isSet ? toUrl(toReachable(host ?? DEFAULT_HOST), port ?? DEFAULT_PORT) : daemonUrl;
  if (url === undefined) return null;
  // The tokens of the files belong to this machine.
  const isHere = url === daemonUrl || (URL.canParse(url) && isLoopback(new URL(url).hostname));
  const own = isHere ? (readText(toHomeFile(home, 'hookToken')) ?? readText(toHomeFile(home, 'token'))) : undefined;
  return { url, token: env['BECKON_TOKEN'] || own };
}

// A daemon that was killed leaves its file behind, and another program may get its port.
function findDaemonUrl(home: string): string | undefined {
  const { pid, url } = readJson(toHomeFile(home, 'state'));
  // In a container every start may have the same number.
  const isAlive = typeof pid === 'number' && pid !== process.pid && isRunning(pid);
  return isAlive ? textOf(url) : undefined;
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
