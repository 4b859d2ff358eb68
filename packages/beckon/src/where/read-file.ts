import { readIfThere } from '../machine/private-file.ts';

/** The text of a file of the home without what surrounds it; `undefined` if it is empty, or cannot be read. */
export function readTextFile(path: string): string | undefined {
  try {
    return readIfThere(path)?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a JSON file of the home says; nothing if it cannot be read. Commands that people run check the file with its
 * schema, and complain.
 */
export function readJsonFile(path: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(readTextFile(path) ?? '{}') as object) } as Record<string, unknown>;
  } catch {
    return {};
  }
}
