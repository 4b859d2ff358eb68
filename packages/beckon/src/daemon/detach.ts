import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import * as z from 'zod/mini';
import { makePrivateFolder } from '../machine/private-file.ts';
import { BeckonError, ERROR_CATALOGUE, type ErrorCode } from '../protocol/errors.ts';
import { toHomeFile } from '../where/home.ts';
import type { Ready } from './run-daemon.ts';

/** What the process in the background reports to its parent, once. */
export type Report = { ready: Ready } | { failed: { code: string; message: string } };

const Failed = z.object({ failed: z.object({ code: z.string(), message: z.string() }) });

/** The log of a daemon in the background. */
export function toLogPath(home: string): string {
  return toHomeFile(home, 'log');
}

/** Starts the same command in the background and resolves when it accepts requests. Throws if the start failed. */
export async function startDetached(home: string, args: readonly string[]): Promise<Ready> {
  makePrivateFolder(home);
  const logPath = toLogPath(home);
  const log = openSync(logPath, 'a', 0o600);
  const main = process.argv[1] ?? '';
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const report = await new Promise<Report>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Report));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(
        new BeckonError('internal', `Beckon ended before it was ready (${signal ?? `exit ${code}`}). See ${logPath}`),
      );
    });
  });
  const failed = z.safeParse(Failed, report);
  if (failed.success) {
    const { code, message } = failed.data.failed;
    throw new BeckonError(Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : 'internal', message);
  }
  // From here on the daemon is on its own.
  if (child.connected) child.disconnect();
  child.unref();
  return (report as { ready: Ready }).ready;
}

/** Reports to the parent process how the start went. Does nothing in the foreground. */
export async function reportToParent(report: Report): Promise<void> {
  if (process.send === undefined) return;
  await new Promise<void>((resolve) => process.send?.(report, () => resolve()));
  if (process.connected) process.disconnect();
}
