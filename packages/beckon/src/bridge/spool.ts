import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { HookInput, HookSink } from '../core/hooks.ts';
import { writePrivateFile } from '../machine/private-file.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';

/** Files that are read before the store is asked to keep them in one commit. */
const PART_FILES = 200;
const BAD_FOLDER = 'bad';
/** How long a file may be half-written before whoever wrote it is taken for dead. */
const WRITING_MS = 3_600_000;

/** What came of a spool folder. */
export interface SpoolReport {
  /** How many hooks were taken in. */
  taken: number;
  /** Files that cannot be read as a hook, by the path where they lie now, each with what is wrong. */
  bad: { path: string; error: string }[];
}

/** Hears of hooks that were taken in, in their order. */
export type OnTaken = (hooks: readonly HookInput[]) => Promise<void>;

/** The folder of hooks that wait for a daemon. */
export function toSpoolFolder(home: string): string {
  return join(home, 'spool');
}

/**
 * Writes a hook down for the next daemon that starts. It is on disk when this returns: a file of its own, which others see whole or
 * not at all. Returns the hook's id. For hook commands: synchronous, and loads next to nothing, because they have no time. Without `at` it
 * happened when this process was started.
 */
export function spoolHook(
  folder: string,
  { sessionId, commandId, hook, text = JSON.stringify(hook), at = toStart(), id }: HookInput,
): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Names rise with time, so that their order is that of the hooks.
  const name = uuidv7();
  const hookId = id ?? `hook_${name}`;
  const head = JSON.stringify({ id: hookId, sessionId, commandId, at });
  writePrivateFile(join(folder, `${name}.hook`), `${head}\n${text}\n`);
  syncFolder(folder);
  return hookId;
}

/**
 * Hands the hooks of a spool folder over, the oldest first. A file is removed once its hook is on disk; after a crash in between it
 * is handed over again, with the same id. A file that is no hook is set aside in `bad/`, never deleted. What a hook command left
 * half-written when it died, an hour ago or longer, is deleted; where it only lacks its name, it is a hook. `onTaken` hears of hooks that are
 * on disk before their files are removed: where it throws they are handed over, and told, again.
 */
export async function takeInSpool(
  folder: string,
  sink: HookSink,
  onTaken: OnTaken = () => Promise.resolve(),
): Promise<SpoolReport> {
  const report: SpoolReport = { taken: 0, bad: [] };
  for (const name of list(folder, '.new')) finish(join(folder, name));
  const names = list(folder, '.hook');
  for (let start = 0; start < names.length; start += PART_FILES) {
    const part = names.slice(start, start + PART_FILES);
    const outcomes = await Promise.allSettled(part.map((name) => takeIn(join(folder, name), sink)));
    await onTaken(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    for (const [index, outcome] of outcomes.entries()) {
      const name = part[index] ?? '';
      if (outcome.status === 'fulfilled') {
        rmSync(join(folder, name), { force: true });
        report.taken += 1;
        continue;
      }
      // Only the file's own fault sets it aside; a store that is not there just now will be there later.
      if (!isBad(outcome.reason)) throw outcome.reason;
      report.bad.push({ path: setAside(folder, name), error: (outcome.reason as Error).message });
    }
  }
  return report;
}

async function takeIn(path: string, sink: HookSink): Promise<HookInput> {
  const hook = readHook(path);
  await sink.receive(hook);
  return hook;
}

function readHook(path: string): HookInput {
  const content = readFileSync(path, 'utf8');
  const end = content.indexOf('\n');
  // The sink checks the rest.
  const head = JSON.parse(content.slice(0, end)) as Pick<HookInput, 'id' | 'sessionId' | 'commandId' | 'at'>;
  const text = content.slice(end + 1).trimEnd();
  return { ...head, hook: JSON.parse(text) as JsonObject, text };
}

function toStart(): string {
  return new Date(performance.timeOrigin).toISOString();
}

function finish(path: string): void {
  const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (Date.now() - mtimeMs < WRITING_MS) return;
  try {
    readHook(path);
    renameSync(path, path.replace(/\.new$/, '.hook'));
  } catch {
    rmSync(path, { force: true });
  }
}

function list(folder: string, ending: '.hook' | '.new'): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function isBad(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return error instanceof BeckonError && (error.code === 'invalid_input' || error.code === 'key_reused');
}

function setAside(folder: string, name: string): string {
  mkdirSync(join(folder, BAD_FOLDER), { recursive: true, mode: 0o700 });
  const path = join(folder, BAD_FOLDER, name);
  renameSync(join(folder, name), path);
  return path;
}

// A new name is on disk only when its folder is. Windows cannot sync a folder, and writes names down by itself.
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
