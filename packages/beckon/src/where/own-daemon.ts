import { isStillRunning } from '../machine/is-running.ts';
import { toHomeFile } from './home.ts';
import { readJsonFile } from './read-file.ts';

/** The running daemon of a home, as far as commands that only look for it need to know. */
export interface OwnDaemon {
  url: string;
  /** SHA-256 of the certificates that it may show, if it has TLS itself. */
  certificates: readonly string[];
}

/**
 * The daemon of a home; `undefined` if none runs, or it is still starting. A daemon that was killed leaves its file
 * behind, and another program may get its port, so its process must be alive.
 */
export function findOwnDaemon(home: string): OwnDaemon | undefined {
  const { pid, url, certificates } = readJsonFile(toHomeFile(home, 'state'));
  if (typeof pid !== 'number' || !isStillRunning(pid)) return undefined;
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return { url, certificates: Array.isArray(certificates) ? certificates.map(String) : [] };
}
