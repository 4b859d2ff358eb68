import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ContextFile } from '../protocol/context.ts';
import { type ChangedFile, listChangedFiles } from './changed-files.ts';
import { cutPieces, PIECES_BYTES } from './cut-pieces.ts';
import { withFile } from './read-bounded.ts';

/** What a file was when a call was asked, to be compared before the call may run. */
export interface SeenFile {
  path: string;
  /** Where the path really led, if that is known. */
  target?: string;
  /** A hash of the content, or a sign of it where the content was not read; `null`: there was no file. */
  mark: string | null;
}

/** The files that a call will change: for people, and for `checkFiles`. */
export interface GatheredFiles {
  files: ContextFile[];
  seen: SeenFile[];
}

/** Most bytes that are read and hashed, of all files together. */
const HASHED_BYTES = 10_485_760;
const SNIFFED_BYTES = 8192;
/** More files than any change that a person can judge. */
const MOST_FILES = 1000;

/**
 * Reads the files that a call of Edit, MultiEdit, Write, NotebookEdit or apply_patch will change. It never throws and
 * never blocks: what cannot be read says why. `folder` is where relative paths start.
 */
export function gatherFiles(call: {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  folder: string;
}): GatheredFiles {
  const gathered: GatheredFiles = { files: [], seen: [] };
  const left = { hashed: HASHED_BYTES, pieces: PIECES_BYTES };
  for (const changed of listChangedFiles(call.tool, call.input, call.folder).slice(0, MOST_FILES)) {
    const target = findTarget(changed.path);
    const found = look(changed.path, left.hashed);
    left.hashed -= found.bytes?.length ?? 0;
    const shown = toShown(changed, found, left.pieces);
    for (const { text } of shown.before ?? []) left.pieces -= Buffer.byteLength(text);
    gathered.seen.push({ path: changed.path, target, mark: found.mark });
    gathered.files.push({
      path: changed.path,
      ...(leadsElsewhere(changed.path, target, call.folder) && { target }),
      ...(found.sha256 !== undefined && { sha256: found.sha256 }),
      ...shown,
    });
  }
  return gathered;
}

/** Looks at the files again: why the call must not run because one has changed, or `null`. */
export function checkFiles(seen: readonly SeenFile[]): string | null {
  let left = HASHED_BYTES;
  for (const { path, target, mark } of seen) {
    const found = look(path, left);
    left -= found.bytes?.length ?? 0;
    if (found.mark === mark && (target === undefined || findTarget(path) === target)) continue;
    const change = mark === null ? 'was created' : found.mark === null ? 'was deleted' : 'has changed';
    return (
      `${path} ${change} after this call was asked, so what was allowed is not what would run. ` +
      'Read the file again, then make the call again.'
    );
  }
  return null;
}

/** What is at a path. Without `bytes`, `why` says why they were not read, unless there is nothing. */
interface Found {
  mark: string | null;
  sha256?: string | null;
  bytes?: Buffer;
  why?: string;
}

function look(path: string, mostBytes: number): Found {
  try {
    return (
      withFile(path, ({ stat, read }): Found => {
        const size = Number(stat.size);
        if (size > mostBytes) {
          return { mark: `${stat.ino}:${stat.size}:${stat.mtimeNs}`, why: `larger than ${HASHED_BYTES >> 20} MB` };
        }
        // One byte more than it had, to notice that it grows.
        const bytes = read(0, size + 1);
        const sha256 = hash('sha256', bytes);
        return { mark: sha256, sha256, bytes };
      }) ?? { mark: 'not a file', why: 'not a regular file' }
    );
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { mark: null, sha256: null };
    return { mark: code, why: `not readable (${code})` };
  }
}

function toShown(
  changed: ChangedFile,
  { bytes, why }: Found,
  left: number,
): Pick<ContextFile, 'lines' | 'before' | 'why'> {
  if (bytes === undefined) return why === undefined ? {} : { why };
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0) || !isUtf8(bytes)) return { why: 'binary' };
  const content = bytes.toString();
  if (changed.toPart === undefined) return cutPieces(content, changed.findLines(content), left);
  const part = changed.toPart(content);
  if (part === null) return { why: 'a new cell, or one that was not found' };
  if (Buffer.byteLength(part) > left) return { why: 'too large to send' };
  return { before: [{ line: 1, text: part }] };
}

/** Where a path really leads. What does not exist yet would be made in the folder that exists. */
function findTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    // A link to nothing: writing through it creates the file that it names.
    return parent === path ? path : resolve(findTarget(parent), readLink(path) ?? basename(path));
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

// The working folder itself may be behind a link, which says nothing about the file.
function leadsElsewhere(path: string, target: string, folder: string): boolean {
  const inside = relative(folder, path);
  const isInside = inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  return target !== (isInside ? join(findTarget(folder), inside) : path);
}
