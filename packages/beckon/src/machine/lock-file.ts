import { rmSync, statSync, utimesSync } from 'node:fs';
import { isRunning } from './is-running.ts';
import { createPrivateFile, readIfThere } from './private-file.ts';

/** A holder that has not said for so long that it is there is taken for dead, although its number is in use. */
export const STALE_MS = 120_000;

/**
 * A file that at most one process at a time holds, by its number. It is not safe on its own: after a machine slept, two
 * processes may both have taken it. Whoever holds it asks `keep` again before each step that others must not take.
 */
export interface HeldLock {
  /** Says that the holder is there. `false`: another process has taken the lock. */
  keep(): boolean;
  release(): void;
}

/**
 * Takes the lock. `null`: another process has it. A holder that was killed does not keep it, and nobody keeps it if it
 * is taken by force.
 */
export function takeLock(path: string, { isForced = false } = {}): HeldLock | null {
  const own = `${process.pid}\n`;
  const isOwn = (): boolean => readIfThere(path) === own;
  if (!createPrivateFile(path, own)) {
    if (!isForced && isLocked(path)) return null;
    rmSync(path, { force: true });
    if (!createPrivateFile(path, own)) return null;
  }
  return {
    keep: () => {
      if (!isOwn()) return false;
      const now = new Date();
      utimesSync(path, now, now);
      return true;
    },
    release: () => {
      if (isOwn()) rmSync(path, { force: true });
    },
  };
}

/** Whether a living process holds the lock. */
export function isLocked(path: string): boolean {
  const pid = Number(readIfThere(path)?.trim());
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined || !Number.isSafeInteger(pid) || pid <= 0) return false;
  return Math.abs(Date.now() - mtimeMs) < STALE_MS && isRunning(pid);
}
