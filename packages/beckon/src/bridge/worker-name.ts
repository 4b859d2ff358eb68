import { hostname } from 'node:os';
import { isRunning } from '../machine/is-running.ts';

/** A name for what this process claims, by which others on this machine can tell whether it lives. */
export function toWorkerName(id: string): string {
  return `${hostname()} ${process.pid} ${id}`;
}

/**
 * Whether the process of a worker on this machine has ended. Of another machine nothing is known. Where it is wrong, as with two containers of
 * one name, a hook may be sent twice, under the same key.
 */
export function isDeadWorker(name: string): boolean {
  const [host, pid] = name.split(' ');
  return host === hostname() && Number(pid) !== process.pid && !isRunning(Number(pid));
}
