import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Less is what containers have by default, and too little for a run. */
const LEAST_BYTES = 1_000_000_000;

/**
 * Makes a folder for one test, in memory where there is room: tests on many small databases mostly wait for the disk.
 */
export function createTemporaryFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > LEAST_BYTES;
  } catch {
    return false;
  }
}
