import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Notes about sessions that never ended are kept for so long. */
const KEEP_MS = 7 * 24 * 3_600_000;

/** Removes the notes of a folder about sessions of long ago. */
export function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > KEEP_MS) rmSync(path, { force: true });
  }
}
