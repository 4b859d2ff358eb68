import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all: a process that is killed leaves the one before. */
export function keep(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

/** What was kept, or `null`. */
export function readKept(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
