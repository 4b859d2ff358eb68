import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { readIfThere } from '../../machine/private-file.ts';

const Package = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

/** The version of the npm package whose program this is, without starting it. `null` if it is not of a package. */
export function readPackageVersion(program: string): string | null {
  try {
    const real = realpathSync(program);
    for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
      const version = readVersion(folder, real);
      if (version !== null) return version;
    }
  } catch {
    // The program itself can still be asked.
  }
  return null;
}

function readVersion(folder: string, program: string): string | null {
  const text = readIfThere(join(folder, 'package.json'));
  if (text === undefined) return null;
  // Folders inside of a package may have a package.json that only says how their files are loaded.
  const { success, data } = Package.safeParse(JSON.parse(text));
  if (!success) return null;
  const programs = typeof data.bin === 'string' ? [data.bin] : Object.values(data.bin);
  return programs.some((path) => resolve(folder, path) === program) ? data.version : null;
}
