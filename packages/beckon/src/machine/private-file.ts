import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BeckonError } from '../protocol/errors.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates the folder for this user alone, unless it exists. An error ends with `next`: what to do about it. */
export function makePrivateFolder(path: string, next = 'Set BECKON_HOME to a folder that you may write to.'): void {
  try {
    makeFolder(path);
    // It may be a file, or somebody else's folder.
    accessSync(`${path}/.`, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BeckonError('invalid_input', `The folder ${path} cannot be used (${code}). ${next}`, { cause: error });
  }
}

/** Writes a file for this user alone. Readers see the old text or the new one, never a part. */
export function writePrivateFile(path: string, text: string): void {
  writeWhole(path, text, PRIVATE_FILE);
}

/** Writes a file with exactly this mode. Readers see the old text or the new one, even after a crash, never a part. */
export function writeWhole(path: string, text: string, mode: number): void {
  const staged = stageFile(path, text, mode);
  try {
    staged.commit();
  } catch (error) {
    staged.discard();
    throw error;
  }
}

/** A file that is on disk under another name, so that taking its place needs no more room. */
export interface StagedFile {
  /** Replaces what is at the path. */
  commit(): void;
  discard(): void;
}

/** Prepares a file as `writeWhole` writes it. Nobody sees it before `commit`. */
export function stageFile(path: string, text: string, mode: number): StagedFile {
  const temporary = writeTemporary(path, text, mode);
  return {
    commit: () => renameSync(temporary, path),
    discard: () => rmSync(temporary, { force: true }),
  };
}

/** Writes a file for this user alone. `false`: there is one of this name already. Readers never see a part. */
export function createPrivateFile(path: string, text: string): boolean {
  const temporary = writeTemporary(path, text, PRIVATE_FILE);
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The text of a file; `undefined` if there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether other users may read or change a file. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** Takes away what others may do with a file. */
export function makePrivate(path: string): void {
  chmodSync(path, PRIVATE_FILE);
}

// Node's recursive mkdir may never return where a folder cannot be created, as in /proc.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function writeTemporary(path: string, text: string, mode: number): string {
  const temporary = `${path}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', mode);
  try {
    // The umask may have taken something away.
    fchmodSync(file, mode);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
}
