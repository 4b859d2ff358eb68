import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Where Codex's shared app server listens, or why it cannot be used. */
export type FoundSocket =
  | { path: string; instance: string }
  /** `isFault`: something is wrong; otherwise Codex just does not run. */
  | { problem: string; isFault: boolean };

/** The folder of Codex: CODEX_HOME, or ~/.codex. */
export function toCodexHome(env: Readonly<Record<string, string | undefined>>): string {
  return env['CODEX_HOME'] ? resolve(env['CODEX_HOME']) : join(homedir(), '.codex');
}

/** The folder in which Codex puts its socket. */
export function toControlFolder(codexHome: string): string {
  return join(codexHome, 'app-server-control');
}

/**
 * Finds the socket of the app server. Whoever listens on it decides what people are asked, and gets their answers: it
 * must belong to `uid`, in a folder that nobody else can write to. `instance` is another one for each start of Codex.
 */
export function findSocket(codexHome: string, uid: number | undefined = process.getuid?.()): FoundSocket {
  const named = join(toControlFolder(codexHome), 'app-server-control.sock');
  try {
    // The name may be a link, because paths of sockets must be short.
    const path = realpathSync(named);
    const socket = lstatSync(path);
    if (!socket.isSocket()) return toFault(`${path} is not a socket`);
    if (uid !== undefined && socket.uid !== uid) return toFault(`${path} belongs to another user (${socket.uid})`);
    const folder = lstatSync(dirname(path));
    if (uid !== undefined && !isOnlyFor(folder, uid)) {
      return toFault(`${dirname(path)}, the folder of the socket, can be written to by other users`);
    }
    return { path, instance: `${socket.dev}:${socket.ino}:${socket.ctimeMs}` };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return { problem: `no app server of Codex has been started (${named} does not exist)`, isFault: false };
    }
    return toFault(`${named} cannot be used (${code})`);
  }
}

function toFault(problem: string): FoundSocket {
  return { problem: `${problem}, so it is not used`, isFault: true };
}

// Who can write to the folder can put another socket there.
function isOnlyFor({ uid: owner, mode }: Stats, uid: number): boolean {
  return (owner === uid || owner === 0) && (mode & 0o022) === 0;
}
