import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A part of a file, and what the file was when it was opened. */
interface OpenedFile {
  stat: BigIntStats;
  /** Reads up to so many bytes from a position; fewer if the file ends there. */
  read(position: number, bytes: number): Buffer;
}

/**
 * Opens a regular file and hands it to `use`; `null` if there is none, or something else, such as a folder or a pipe.
 * It never waits for a writer. Other failures throw.
 */
export function withFile<Result>(path: string, use: (file: OpenedFile) => Result): Result | null {
  // Without this flag a named pipe would block until somebody writes to it. Windows does not have it.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    if (!stat.isFile()) return null;
    return use({ stat, read: (position, bytes) => readPart(descriptor, position, bytes) });
  } finally {
    closeSync(descriptor);
  }
}

/** The beginning of a small text file, such as those of git; `null` if it cannot be read. */
export function readSmallText(path: string, bytes = 4096): string | null {
  try {
    return withFile(path, ({ read }) => read(0, bytes).toString());
  } catch {
    return null;
  }
}

// The file may become shorter meanwhile.
function readPart(descriptor: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const count = readSync(descriptor, buffer, filled, bytes - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}
