import { rmSync } from 'node:fs';
import * as z from 'zod/mini';
import { isStillRunning } from '../machine/is-running.ts';
import { createPrivateFile, readIfThere, writePrivateFile } from '../machine/private-file.ts';
import { toRealPath } from '../store/sqlite/file-name.ts';
import { toHomeFile } from '../where/home.ts';
import { toSqlitePath } from './config.ts';
import { type Health, probe } from './health.ts';

/** What a running daemon tells the other commands. `url` is absent while it starts. */
const DaemonState = z.object({
  pid: z.number(),
  version: z.string(),
  url: z.optional(z.string()),
  /** The address for other machines, if they can reach it. */
  networkUrl: z.optional(z.string()),
  /** SHA-256 of the certificates that it may show, if it has TLS itself. Commands on this machine accept no others. */
  certificates: z.optional(z.array(z.string())),
  store: z.string(),
  startedAt: z.string(),
});
export type DaemonState = z.output<typeof DaemonState>;

/** A start that takes longer has failed silently. It may wait a minute for Postgres. */
const START_MS = 120_000;

/** Where `beckon status` and `beckon down` look for the daemon. */
export function toStatePath(home: string): string {
  return toHomeFile(home, 'state');
}

/** Where the daemon on a SQLite file leaves its state, beside that file; `null` for a store that daemons may share. */
export function toHolderPath(store: string): string | null {
  const path = toSqlitePath(store);
  return path === null ? null : `${toRealPath(path)}-daemon`;
}

/**
 * Whether the daemon of a state lives. `starting` and `silent`: its process runs, but does not answer yet, or cannot.
 */
export type Life = { liveness: 'alive' | 'starting' | 'gone' } | { liveness: 'silent'; reason: string };

/** The daemon that left its state in the file, and whether it still lives. */
export async function findDaemon(path: string): Promise<({ state: DaemonState } & Life) | null> {
  const state = readState(path);
  return state === null ? null : { state, ...(await checkLife(state)) };
}

/** Writes the state to the file and returns `null`. If a living daemon has its state there, returns that instead. */
export async function claimState(path: string, state: DaemonState): Promise<DaemonState | null> {
  for (;;) {
    if (createPrivateFile(path, toText(state))) return null;
    const found = await findDaemon(path);
    if (found !== null && found.liveness !== 'gone') return found.state;
    rmSync(path, { force: true });
  }
}

/** Replaces the state if it still belongs to the same process. */
export function updateState(path: string, state: DaemonState): void {
  if (readState(path)?.pid === state.pid) writePrivateFile(path, toText(state));
}

/** Removes the state if it still belongs to this process. */
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

// The number alone proves nothing: another program may have got it since.
async function checkLife({ pid, url, startedAt, certificates }: DaemonState): Promise<Life> {
  if (!isStillRunning(pid)) return { liveness: 'gone' };
  if (url === undefined) return { liveness: Date.now() - Date.parse(startedAt) < START_MS ? 'starting' : 'gone' };
  const health: Health = await probe(url, certificates);
  if (health.kind === 'silent') return { liveness: 'silent', reason: health.reason };
  return { liveness: health.kind === 'beckon' && health.pid === pid ? 'alive' : 'gone' };
}

function toText(state: DaemonState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}
