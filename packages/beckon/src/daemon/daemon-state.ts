import { rmSync } from 'node:fs';
import * as z from 'zod/mini';
import { isRunning } from '../machine/is-running.ts';
import { createPrivateFile, readIfThere, writePrivateFile } from '../machine/private-file.ts';
import { toRealPath } from '../store/sqlite/file-name.ts';
import { toSqlitePath } from './config.ts';
import { type Health, probe } from './health.ts';
import { toHomeFile } from './home.ts';

/** What a running daemon leaves for the other commands. `url` is absent while it starts. */
const DaemonState = z.object({
  pid: z.number(),
  version: z.string(),
  url: z.optional(z.string()),
  /** The address for other machines, where they can reach it. */
  networkUrl: z.optional(z.string()),
  store: z.string(),
  startedAt: z.string(),
});
export type DaemonState = z.output<typeof DaemonState>;

/** A start that takes longer than this has failed without a word. It may wait a minute for Postgres. */
const START_MS = 120_000;

/** Where `beckon status` and `beckon down` look for the daemon. */
export function toStatePath(home: string): string {
  return toHomeFile(home, 'state');
}

/** Where the daemon on a SQLite file leaves its name, beside the file; `null` for a store that many may share. */
export function toHolderPath(store: string): string | null {
  const path = toSqlitePath(store);
  return path === null ? null : `${toRealPath(path)}-daemon`;
}

/** Whether the state is that of a daemon that lives. `starting`, `silent`: its process is there, but does not answer yet, or for a reason. */
export type Life = { liveness: 'alive' | 'starting' | 'gone' } | { liveness: 'silent'; reason: string };

/** The daemon that left its state in the file, and whether it is still there. */
export async function findDaemon(path: string): Promise<({ state: DaemonState } & Life) | null> {
  const state = readState(path);
  return state === null ? null : { state, ...(await checkLife(state)) };
}

/**
 * Puts the state into the file, unless a living daemon has its own there: then that one is returned. What a dead one left is
 * replaced.
 */
export async function claimState(path: string, state: DaemonState): Promise<DaemonState | null> {
  for (;;) {
    if (createPrivateFile(path, toText(state))) return null;
    const found = await findDaemon(path);
    if (found !== null && found.liveness !== 'gone') return found.state;
    rmSync(path, { force: true });
  }
}

/** Replaces the state, where it is still that of the same process. */
export function updateState(path: string, state: DaemonState): void {
  if (readState(path)?.pid === state.pid) writePrivateFile(path, toText(state));
}

/** Removes the state, where it is still that of this process. */
export function releaseState(path: string, pid: number): void {
  if (readState(path)?.pid === pid) rmSync(path, { force: true });
}

function readState(path: string): DaemonState | null {
  try {
    const result = z.safeParse(DaemonState, JSON.parse(readIfThere(path) ?? 'null'));
    return result.success ? result.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// Another program may have got the number of a process that is gone, so its number alone proves nothing.
async function checkLife({ pid, url, startedAt }: DaemonState): Promise<Life> {
  // In a container every start may have the same number.
  if (pid === process.pid || !isRunning(pid)) return { liveness: 'gone' };
  if (url === undefined) return { liveness: Date.now() - Date.parse(startedAt) < START_MS ? 'starting' : 'gone' };
  const health: Health = await probe(url);
  if (health.kind === 'silent') return { liveness: 'silent', reason: health.reason };
  return { liveness: health.kind === 'beckon' && health.pid === pid ? 'alive' : 'gone' };
}

function toText(state: DaemonState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}
