import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HookInput } from '../core/hooks.ts';
import { type HeldLock, takeLock } from '../machine/lock-file.ts';
import { type Backoff, toBackoffMs } from '../timing/backoff.ts';
import { pause } from '../timing/pause.ts';
import { listSpool, readSpoolFile, setAside } from './spool.ts';

/**
 * What became of one hook. `again`: it was not sent, and may be later. `stop`: nothing can be sent until a person does
 * something. `never`: it cannot be taken as it is.
 */
export type SpoolSend = { result: 'sent' } | { result: 'again' | 'stop' | 'never'; why: string };

/** What sending a spool needs. */
export interface SendSpoolOptions {
  folder: string;
  /** Sends one hook. A hook that was sent twice under its id must count once. */
  send: (hook: HookInput) => Promise<SpoolSend>;
  /** How long to try without any success, in milliseconds. 0: the first failure ends it. */
  patienceMs: number;
  /** How long to wait for more when nothing is left, in milliseconds. Default 0. */
  lingerMs?: number;
  /** Takes the work from another process that does it, and may be in a long pause. Default: leaves it to that. */
  isUrgent?: boolean;
}

/** What became of a spool. */
export interface SentSpool {
  sent: number;
  bad: { path: string; why: string }[];
  /** Why the rest stays; absent if nothing is left. */
  fault?: string;
}

const LOCK_FILE = 'sender.lock';
/** How many files are sent until the folder is read again. */
const PART_FILES = 50;
/** How often to look for more. */
const LOOK_MS = 250;
const BACKOFF: Backoff = { firstMs: 250, longestMs: 10_000 };

/** The lock of the process that sends a spool. */
export function toSenderLock(folder: string): string {
  return join(folder, LOCK_FILE);
}

/**
 * Sends the hooks of a spool folder in order, each after the reply to the one before it, until none is left. A file is
 * removed once its hook has arrived; after a crash in between it is sent again, under the same id. `null`: another
 * process is sending them. Hooks that come meanwhile are sent as well.
 */
export async function sendSpool(options: SendSpoolOptions): Promise<SentSpool | null> {
  const total: SentSpool = { sent: 0, bad: [] };
  let isAnotherAt = false;
  // Looks once more after the lock is released: whoever spooled just before that has relied on it.
  while (total.fault === undefined && !isAnotherAt && listSpool(options.folder).length > 0) {
    const lock = takeLock(toSenderLock(options.folder), { isForced: options.isUrgent === true });
    isAnotherAt = lock === null;
    try {
      if (lock !== null) await sendAll(options, lock, total);
    } finally {
      lock?.release();
    }
  }
  return isAnotherAt && total.sent + total.bad.length === 0 ? null : total;
}

/** Sends until nothing is left, another process has taken the lock, or it is no use. */
async function sendAll(options: SendSpoolOptions, lock: HeldLock, total: SentSpool): Promise<void> {
  const { folder, send, patienceMs, lingerMs = 0 } = options;
  let failures = 0;
  let succeededAt = performance.now();
  for (;;) {
    const part = listSpool(folder).slice(0, PART_FILES);
    if (part.length === 0) {
      if (performance.now() - succeededAt >= lingerMs || !lock.keep()) return;
      await pause(LOOK_MS);
    }
    for (const name of part) {
      if (!lock.keep()) return;
      const outcome = await sendFile(join(folder, name), send);
      if (outcome.result === 'stop' || (outcome.result === 'again' && performance.now() - succeededAt >= patienceMs)) {
        total.fault = outcome.why;
        return;
      }
      if (outcome.result === 'again') {
        failures += 1;
        await pause(toBackoffMs(failures, BACKOFF));
        // From the first again: nothing may overtake it.
        break;
      }
      if (outcome.result === 'sent') {
        rmSync(join(folder, name), { force: true });
        total.sent += 1;
      } else if (outcome.result === 'never') {
        total.bad.push({ path: setAside(folder, name), why: outcome.why });
      }
      failures = 0;
      succeededAt = performance.now();
    }
  }
}

async function sendFile(path: string, send: SendSpoolOptions['send']): Promise<SpoolSend | { result: 'gone' }> {
  let hook: HookInput;
  try {
    hook = readSpoolFile(path);
  } catch (error) {
    if (error instanceof SyntaxError) return { result: 'never', why: error.message };
    // Another process had taken the lock for a moment, and sent it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { result: 'gone' };
    throw error;
  }
  return send(hook);
}
