import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readIfThere } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { FileChange } from './agent-client.ts';

/** The first line of a file that belongs to Beckon alone. */
export const OUR_MARK = '// Made by Beckon.';

/** A file with nothing but Beckon's in it, as it should be. */
export interface OurFile {
  path: string;
  text: string;
}

/** Writes the file, or brings it up to date. Throws `invalid_input` if there is somebody else's. */
export function planOurFile({ path, text }: OurFile): FileChange {
  const before = readOurs(path);
  return { path, before, after: text };
}

/** Removes the file. Nothing if there is none, or if it is somebody else's. */
export function planNoFile(path: string): FileChange[] {
  const before = readIfThere(path);
  return before?.startsWith(OUR_MARK) === true ? [{ path, before, after: undefined }] : [];
}

/** Whether the file is there and up to date, or what is wrong with it. */
export function inspectOurFile({ path, text }: OurFile, install: string): { isThere: boolean; problems: string[] } {
  try {
    const found = readOurs(path);
    if (found === undefined) return { isThere: false, problems: [] };
    return { isThere: true, problems: found === text ? [] : [`${path} is of another Beckon. Run: ${install}`] };
  } catch (error) {
    return { isThere: false, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** The address of a built module of this package, for other programs to import. Run from source, it is the source. */
export function toModuleUrl(name: string): string {
  const built = new URL(`../../agents/${name}.js`, import.meta.url);
  return existsSync(fileURLToPath(built)) ? built.href : new URL(`../../agents/${name}.ts`, import.meta.url).href;
}

function readOurs(path: string): string | undefined {
  const text = readIfThere(path);
  if (text === undefined || text.startsWith(OUR_MARK)) return text;
  throw new BeckonError('invalid_input', `${path} is not Beckon’s, so it stays as it is. Move it away first.`);
}
