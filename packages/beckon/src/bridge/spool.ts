import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { HookInput, HookSink } from '../core/hooks.ts';
import { makePrivateFolder, writePrivateFile } from '../machine/private-file.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';

/** Files whose hooks the store keeps in one commit. */
const PART_FILES = 200;
const BAD_FOLDER = 'bad';
/** How long a file may stay half-written until its writer is taken for dead. */
const WRITING_MS = 3_600_000;

/** The result of taking in a spool folder. */
export interface SpoolReport {
  /** The number of hooks taken in. */
  taken: number;
  /** Files that are not hooks: where they are now, and what is wrong with them. */
  bad: { path: string; error: string }[];
}

/** Called with hooks that were taken in, in order. */
export type OnTaken = (hooks: readonly HookInput[]) => Promise<void>;

/** The content of a file of the spool. */
export interface SpoolText {
  id: string;
  content: string;
  /** When the hook happened. */
  at: string;
}

/**
 * Writes a hook to the spool, for the next daemon that starts, and returns its id. It is on disk when this returns, in
 * its own file, which others see whole or not at all. Synchronous and almost without imports, because hook commands
 * have no time. `at` defaults to the start of this process.
 */
export function spoolHook(folder: string, hook: HookInput): string {
  const { id, content } = toSpoolText(hook);
  // Names grow with time, so they sort in the order of the hooks.
  writeSpoolFile(folder, uuidv7(), content);
  return id;
}

/** What the spool keeps of a hook. */
export function toSpoolText(input: HookInput): SpoolText {
  const { agent, sessionId, commandId, hook, text = JSON.stringify(hook), at = toStart() } = input;
  const { id = `hook_${uuidv7()}` } = input;
  return { id, at, content: `${JSON.stringify({ id, agent, sessionId, commandId, at })}\n${text}\n` };
}

/** Writes a file of the spool, and returns its path. */
export function writeSpoolFile(folder: string, name: string, content: string): string {
  makePrivateFolder(folder);
  const path = join(folder, `${name}.hook`);
  writePrivateFile(path, content);
  syncFolder(folder);
  return path;
}

/**
 * Takes the hooks of a spool folder into a sink, the oldest first. A file is removed once the sink has its hook; after
 * a crash in between the hook is taken in again, with the same id. A file that is not a hook is moved to `bad/`, never
 * deleted. A file that a hook command left half-written an hour ago or longer is deleted, unless it is complete and
 * only lacks its final name: then it is a hook. `onTaken` is called before the files are removed; if it throws, the
 * next call takes them in and calls it again.
 */
export async function takeInSpool(
  folder: string,
  sink: HookSink,
  onTaken: OnTaken = () => Promise.resolve(),
): Promise<SpoolReport> {
  const report: SpoolReport = { taken: 0, bad: [] };
  const names = listSpool(folder);
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
      // Only a fault of the file itself sets it aside; an unavailable store will be back.
      if (!isBad(outcome.reason)) throw outcome.reason;
      report.bad.push({ path: setAside(folder, name), error: (outcome.reason as Error).message });
    }
  }
  return report;
}

/** The names of a spool's files, the oldest first. What was left half-written is finished or removed on the way. */
export function listSpool(folder: string): string[] {
  for (const name of list(folder, '.new')) finish(join(folder, name));
  return list(folder, '.hook');
}

async function takeIn(path: string, sink: HookSink): Promise<HookInput> {
  const hook = readSpoolFile(path);
  await sink.receive(hook);
  return hook;
}

/** Reads a file of the spool. Throws `SyntaxError` if it is not one. */
export function readSpoolFile(path: string): HookInput {
  const content = readFileSync(path, 'utf8');
  const end = content.indexOf('\n');
  // The sink checks the rest.
  const head = JSON.parse(content.slice(0, end)) as Pick<HookInput, 'id' | 'agent' | 'sessionId' | 'commandId' | 'at'>;
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
    readSpoolFile(path);
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

/** Moves a file that is not a hook to `bad/`, and returns where it is. */
export function setAside(folder: string, name: string): string {
  makePrivateFolder(join(folder, BAD_FOLDER));
  const path = join(folder, BAD_FOLDER, name);
  renameSync(join(folder, name), path);
  return path;
}

// A new name is on disk only once its folder is. Windows cannot sync a folder, and writes names by itself.
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
