import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BeckonError } from '../../protocol/errors.ts';

// SQLite keeps the latest commits in a file next to the NAME of the database ("-wal"). Two processes that open one file
// under two names do not see each other's commits, and the later one overwrites what the earlier one has acknowledged.
// So symbolic links are resolved. Hard links cannot be listed, so the database marks the name that it is used with, in
// the header field that SQLite leaves to applications.

/** Where SQLite has that field in the file (https://sqlite.org/fileformat.html), and how long it is. */
const MARK_AT = 68;
const MARK_BYTES = 4;

/** The path without symbolic links, even if the file does not exist yet. */
export function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const folder = dirname(path);
    if (code !== 'ENOENT' || folder === path) return path; // Opening it says what is wrong.
    const target = readLink(path);
    return target === undefined ? join(toRealPath(folder), basename(path)) : toRealPath(resolve(folder, target));
  }
}

/** Creates the file, readable for this user only, if it does not exist. */
export function createFile(path: string): void {
  // Closing a file that this process also has open elsewhere would release SQLite's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/** The mark of a name. It survives moving or mounting the folder, and differs for every other name of the file. */
export function toMark(path: string): number {
  const { ino } = statSync(dirname(path), { bigint: true });
  return (
    createHash('sha256')
      .update(`${ino}/${basename(path)}`)
      .digest()
      .readInt32BE() || 1
  );
}

/** Throws `store_misconfigured` for a file with several names, unless it is marked with this one. */
export function refuseOtherName(path: string): void {
  const { nlink } = statSync(path);
  if (nlink < 2 || readMark(path) === toMark(path)) return;
  throw new BeckonError(
    'store_misconfigured',
    `The file ${JSON.stringify(path)} has ${nlink} names (hard links), and Beckon uses it under another one. ` +
      'The newest answers are kept beside that name and would be lost under this one. ' +
      'Use that name (find / -samefile FILE lists them), replace this one with a symbolic link to it, or remove all but one.',
  );
}

/** Identifies a file, whatever its name is; `undefined`: no such file. */
export function identify(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/** Throws `store_unavailable` if the name no longer belongs to the open file: what is written there would be lost. */
export function refuseGone(path: string, file: string | undefined): void {
  const found = identify(path);
  if (found === file) return;
  throw new BeckonError(
    'store_unavailable',
    `The file ${JSON.stringify(path)} was ${found === undefined ? 'removed' : 'replaced'} while Beckon was using it. Nothing was written. ` +
      'Put it back, or restart Beckon to continue with what is there.',
  );
}

// Read from the file itself: SQLite would start a "-wal" file for this name.
function readMark(path: string): number {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MARK_BYTES);
    readSync(file, bytes, 0, MARK_BYTES, MARK_AT);
    return bytes.readInt32BE();
  } finally {
    closeSync(file);
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // Not a link.
  }
}
