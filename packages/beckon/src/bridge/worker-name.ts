import { hostname } from 'node:os';

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
  if (host !== hostname() || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
