import { BeckonError } from '../../protocol/errors.ts';

// Primary result codes of SQLite (https://sqlite.org/rescode.html); node:sqlite gives the extended ones in `errcode`.
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

// Node's codes for a file that cannot be created or opened.
const FILE_CODES: Record<string, number> = {
  ENOENT: CANTOPEN,
  ENOTDIR: CANTOPEN,
  EISDIR: CANTOPEN,
  EACCES: CANTOPEN,
  EPERM: CANTOPEN,
  EROFS: READONLY,
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** Whether another process is holding the file, so the same call may soon succeed. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Says what a SQLite failure means for the person who runs Beckon. Other errors are returned unchanged. */
export function toStoreError(error: unknown, path: string): unknown {
  const file = JSON.stringify(path);
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
      return new BeckonError(
        'store_busy',
        `Another process has held the database ${file} for too long. Nothing was written. ` +
          'Try again, or find the process that has the file open.',
        { cause: error },
      );
    case FULL:
      return new BeckonError(
        'store_full',
        `No space is left for the database ${file}. Nothing was written, and what was kept before is safe. ` +
          'Make space and try again.',
        { cause: error },
      );
    case CORRUPT:
    case NOTADB:
      return new BeckonError(
        'store_corrupt',
        `The file ${file} is damaged or is not a SQLite database. It was left as it is. ` +
          'Restore it from a backup, recover it with "sqlite3 FILE .recover", or point Beckon at another file.',
        { cause: error },
      );
    case READONLY:
    case CANTOPEN:
      return new BeckonError(
        'store_misconfigured',
        `The database ${file} cannot be opened for writing. ` +
          'Check that its folder exists and that this user may write to the folder and the file.',
        { cause: error },
      );
    case IOERR:
      return new BeckonError(
        'store_unavailable',
        `Reading or writing the database ${file} failed. Nothing was written. Check the disk and try again.`,
        { cause: error },
      );
    default:
      return hasNoSearch(error) ? toOldNodeError(error) : error;
  }
}

function hasNoSearch(error: unknown): boolean {
  return error instanceof Error && error.message.includes('no such module: fts5');
}

function toOldNodeError(error: unknown): BeckonError {
  return new BeckonError(
    'store_misconfigured',
    `The SQLite of Node ${process.versions.node} has no full-text search (FTS5). Run Beckon with Node 22.16, or 24 and newer.`,
    { cause: error },
  );
}

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  return 'syscall' in error && 'code' in error ? FILE_CODES[String(error.code)] : undefined;
}
