import {
  chmodSync,
  closeSync,
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

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates the folder for this user alone, where there is none. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Writes a file for this user alone. Readers see the old text or the new one, never a part. */
export function writePrivateFile(path: string, text: string): void {
  renameSync(writeTemporary(path, text), path);
}

/** Writes a file for this user alone, unless there is one of this name: then `false`. Readers never see a part. */
export function createPrivateFile(path: string, text: string): boolean {
  const temporary = writeTemporary(path, text);
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

/** The text of a file; `undefined` where there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether others than this user may read or change it. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** Takes away what others may do with a file. */
export function makePrivate(path: string): void {
  chmodSync(path, PRIVATE_FILE);
}

function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', PRIVATE_FILE);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
}
