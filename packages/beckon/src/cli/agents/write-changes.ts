import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { stageFile, writeWhole } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { FileChange } from './agent-client.ts';
import {
  findOriginal,
  type InstallRecord,
  type InstallRecords,
  toTextDigest,
  writeInstallRecords,
} from './install-records.ts';

/** What writing needs to know besides the changes. */
export interface WriteOptions {
  records: InstallRecords;
  /** Files that had something of Beckon's before, so that they are nothing to go back to. */
  isOurs: (path: string) => boolean;
  now: Date;
}

/** Throws `invalid_input` if one of the changes cannot be made now. Changes nothing. */
export function checkChanges(changes: readonly FileChange[]): void {
  for (const { path, before } of changes) {
    const bytes = readBytes(path);
    const text = bytes?.toString('utf8');
    if (text !== before) {
      throw new BeckonError('invalid_input', `${path} was changed meanwhile, so nothing was written. Run it again.`);
    }
    if (bytes !== undefined && !bytes.equals(Buffer.from(text ?? ''))) {
      throw new BeckonError('invalid_input', `${path} is not UTF-8 text. Beckon does not touch it. Repair it first.`);
    }
    for (const folder of new Set([dirname(path), dirname(toTarget(path, before))])) checkFolder(folder);
    if (before === undefined && isLink(path)) {
      throw new BeckonError(
        'invalid_input',
        `${path} is a link to a file that is not there. Create that file, or remove the link.`,
      );
    }
  }
}

/**
 * Makes all changes, or none: everything is on disk before the first file is replaced. Returns the backups by the paths
 * of their files. A file that goes back to what it was before needs none, and the backup of then goes too.
 */
export function writeChanges(changes: readonly FileChange[], options: WriteOptions): ReadonlyMap<string, string> {
  const undo: Undo = [];
  let current = '';
  const staged: StagedChange[] = [];
  try {
    for (const change of changes) {
      current = change.path;
      staged.push(stageChange(change, options, undo));
    }
    current = 'The record of changes';
    writeRecords(staged, options.records, undo);
    for (const { path, commit } of staged) {
      current = path;
      commit();
    }
  } catch (error) {
    for (const step of undo.toReversed()) attempt(step);
    if (error instanceof BeckonError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BeckonError(
      'invalid_input',
      `${current} cannot be written (${code ?? message}), so nothing was changed. Repair that, and run it again.`,
      { cause: error },
    );
  }
  for (const { path, leftover } of staged) if (leftover !== null) attempt(() => removeTraces(path, leftover));
  return new Map(staged.flatMap(({ path, backup }) => (backup === null ? [] : [[path, backup]])));
}

/** Steps that take back what was done so far, in the order in which it was done. */
type Undo = (() => void)[];

/** A change that is on disk, but not in its place. */
interface StagedChange {
  path: string;
  backup: string | null;
  /** What to remember about the file; `null` if there is nothing to go back to. */
  record: InstallRecord | null;
  /** What was remembered, of a file that goes back. */
  leftover: InstallRecord | null;
  commit(): void;
}

function stageChange(change: FileChange, { records, isOurs, now }: WriteOptions, undo: Undo): StagedChange {
  const { path, before, after } = change;
  const target = toTarget(path, before);
  const mode = before === undefined ? 0o600 : statSync(target).mode & 0o777;
  const folder = makeFolders(dirname(path), undo);
  const original = findOriginal(records, path, before);
  const isBack = original !== null && original.text === after;
  // What Beckon itself wrote is not worth a copy.
  const backup = before === undefined || original !== null ? null : writeBackup({ path, before, mode, now }, undo);
  const fresh = isOurs(path) ? null : { backup, folder };
  const record = original?.record ?? fresh;
  return {
    path,
    backup,
    record: isBack || after === undefined || record === null ? null : { ...record, digest: toTextDigest(after) },
    leftover: isBack ? original.record : null,
    commit: prepare(target, change, mode, undo),
  };
}

function writeBackup(file: { path: string; before: string; mode: number; now: Date }, undo: Undo): string {
  const { path, before, mode, now } = file;
  const backup = `${path}.${now.toISOString().replaceAll(/[:.]/g, '-')}.bak`;
  undo.push(() => rmSync(backup, { force: true }));
  writeWhole(backup, before, mode);
  return backup;
}

/** Before the files: a record that fits no file does not count, but a file without one cannot go back exactly. */
function writeRecords(staged: readonly StagedChange[], records: InstallRecords, undo: Undo): void {
  const changed = new Set(staged.map(({ path }) => path));
  const others = Object.entries(records).filter(([path]) => !changed.has(path));
  const added = staged.flatMap(({ path, record }) => (record === null ? [] : [[path, record] as const]));
  undo.push(() => writeInstallRecords(records));
  writeInstallRecords(Object.fromEntries([...others, ...added]));
}

/** Brings the new text to disk. The function that it returns puts it, or nothing, in place of the old. */
function prepare(target: string, { before, after }: FileChange, mode: number, undo: Undo): () => void {
  const restore = (): void => {
    if (before === undefined) rmSync(target, { force: true });
    else writeWhole(target, before, mode);
  };
  if (after === undefined) {
    return () => {
      rmSync(target);
      undo.push(restore);
    };
  }
  const staged = stageFile(target, after, mode);
  undo.push(() => staged.discard());
  return () => {
    staged.commit();
    undo.push(restore);
  };
}

/** Removes what only existed because of Beckon. A folder that others use by now stays. */
function removeTraces(path: string, { backup, folder }: InstallRecord): void {
  if (backup !== null) rmSync(backup, { force: true });
  if (folder === null) return;
  for (let one = dirname(path); one.startsWith(folder); one = dirname(one)) rmdirSync(one);
}

/** Returns the topmost folder that had to be made. */
function makeFolders(folder: string, undo: Undo): string | null {
  if (existsSync(folder)) return null;
  const parent = dirname(folder);
  const above = makeFolders(parent, undo);
  mkdirSync(folder);
  undo.push(() => rmdirSync(folder));
  return above ?? folder;
}

function checkFolder(folder: string): void {
  if (!existsSync(folder)) {
    const parent = dirname(folder);
    return parent === folder ? undefined : checkFolder(parent);
  }
  try {
    // With the dot it fails for anything but a folder.
    accessSync(`${folder}/.`, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BeckonError(
      'invalid_input',
      `The folder ${folder} cannot be written to (${code}), so nothing was changed. Make it writable first.`,
      { cause: error },
    );
  }
}

/** A link stays a link: its target is replaced. */
function toTarget(path: string, before: string | undefined): string {
  return before === undefined ? path : realpathSync(path);
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new BeckonError('invalid_input', `${path} cannot be read (${code}). Repair that, and run it again.`, {
      cause: error,
    });
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** For cleaning up, where the first error is the one to tell. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // What is left does no harm.
  }
}
