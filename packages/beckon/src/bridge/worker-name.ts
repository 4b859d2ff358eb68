import { hostname } from 'node:os';
import { isRunning } from '../machine/is-running.ts';

/** A name for the claims of this process. Others on this machine can tell from it whether the process lives. */
export function toWorkerName(id: string): string {
  return `${hostname()} ${process.pid} ${id}`;
}

/**
 * Whether a worker's process on this machine has ended; workers of other machines count as alive. A wrong guess, as
 * with two containers of one name, may send a hook twice, under the same key.
 */
export function isDeadWorker(name: string): boolean {
  const [host, pid] = name.split(' ');
  return host === hostname() && Number(pid) !== process.pid && !isRunning(Number(pid));
}
