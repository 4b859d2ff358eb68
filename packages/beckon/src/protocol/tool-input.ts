// The hook command loads this module, so it imports nothing at run time.
import type { Json, JsonObject } from './json.ts';

/** The fields in which agents put a patch for `apply_patch`. */
const PATCH_FIELDS = ['patch', 'input', 'command', 'diff'];
/** Anywhere in the text: whoever runs it may skip what comes before. */
const PATCH = /^(?:\*\*\* Begin Patch|diff --git |--- )/m;

/** A field of a tool's own input: what every object has, such as `toString`, is none. */
export function own(input: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

/** The same, if it is a text. */
export function ownText(input: JsonObject, name: string): string | undefined {
  const value = own(input, name);
  return typeof value === 'string' ? value : undefined;
}

/** The patch in the input of `apply_patch`, and its field. A command may be a list of words with the patch as one. */
export function findPatch(input: JsonObject): { field: string; text: string } | undefined {
  for (const field of PATCH_FIELDS) {
    const text = [own(input, field)].flat().find((part) => typeof part === 'string' && PATCH.test(part));
    if (typeof text === 'string') return { field, text };
  }
  return undefined;
}
