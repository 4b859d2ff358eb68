import { DEFAULT_HOST, DEFAULT_PORT, toHome, toHomeFile } from '../../daemon/home.ts';
import { isHostName, isPort, isSecret, toTypedPort } from '../../daemon/setting-rules.ts';
import { isLoopback, toReachable, toUrl } from '../../machine/address.ts';
import { isStillRunning } from '../../machine/is-running.ts';
import { readIfThere } from '../../machine/private-file.ts';

/** Where Beckon is, and the token to come in with, where there is one. */
export interface HookAddress {
  url: string;
  token: string | undefined;
}

/**
 * Finds Beckon like the other commands, but faster, because Claude Code waits for hooks. A test compares the two.
 * `null`: Beckon does not run. It differs from the other commands on purpose:
 * - It ignores the config file of the current folder. Claude Code runs hooks wherever it is opened, so a cloned
 *   repository could send them, with this user's token, to a port of its choice.
 * - Without a running daemon, a host or a port, there is no address: another program may have the default port.
 * - A wrong setting counts as not set, and the rest of its file still counts: nobody reads the complaints of a hook.
 * - It does not probe the daemon: sending the hook does that.
 */
export function findAddress(env: NodeJS.ProcessEnv = process.env): HookAddress | null {
  const home = toHome(env);
  const config = readObject(toHomeFile(home, 'config'));
  const host = [env['BECKON_HOST'], config['host']].find(isHostName);
  const port = [toTypedPort(env['BECKON_PORT'] ?? ''), config['port']].find(isPort);
  const daemonUrl = findDaemonUrl(home);
  // Port 0 is any that is free.
  const isSet = host !== undefined || (port !== undefined && port !== 0);
  const reachable = toReachable(host ?? DEFAULT_HOST);
  const url = isSet ? toUrl(reachable, port ?? DEFAULT_PORT) : daemonUrl;
  if (url === undefined) return null;
  // The token files belong to this machine.
  const isHere = url === daemonUrl || isLoopback(reachable);
  const own = isHere ? (readText(toHomeFile(home, 'hookToken')) ?? readText(toHomeFile(home, 'token'))) : undefined;
  return { url, token: [env['BECKON_TOKEN'], own].find(isSecret) };
}

// A daemon that was killed leaves its file behind, and another program may get its port.
function findDaemonUrl(home: string): string | undefined {
  const { pid, url } = readObject(toHomeFile(home, 'state'));
  const isAlive = typeof pid === 'number' && isStillRunning(pid);
  return isAlive && typeof url === 'string' ? url : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readIfThere(path)?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** What a JSON file of the home says; nothing if it cannot be read. */
export function readObject(path: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(readText(path) ?? '{}') as object) } as Record<string, unknown>;
  } catch {
    return {};
  }
}
