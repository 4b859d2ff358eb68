import type { JsonObject } from 'beckon/protocol';
import { isObject, own, ownText } from '../parts/json-text.ts';

/** One replacement in a file, or the whole file if `before` is unknown. */
export interface FileChange {
  before: string | null;
  after: string;
  /** Replaces every occurrence of `before`, not only one. */
  everywhere: boolean;
}

/** What a tool call does to one file, and the remaining fields of its input. */
export interface FileChanges {
  path: string;
  changes: FileChange[];
  rest: JsonObject;
}

/** Reads the input of Write, Edit and MultiEdit; `null` for other tools and for other inputs. */
export function toFileChanges(tool: string, input: JsonObject): FileChanges | null {
  const path = ownText(input, 'file_path');
  if (path === undefined) return null;
  switch (tool) {
    case 'Write': {
      const content = ownText(input, 'content');
      if (content === undefined) return null;
      return { path, changes: [{ before: null, after: content, everywhere: false }], rest: omit(input, ['content']) };
    }
    case 'Edit': {
      const change = toChange(input);
      return change && { path, changes: [change], rest: omit(input, EDIT_FIELDS) };
    }
    case 'MultiEdit': {
      const edits = own(input, 'edits');
      if (!Array.isArray(edits)) return null;
      const changes = edits.map((edit) => (isObject(edit) ? toChange(edit) : null));
      if (changes.length === 0 || !changes.every((change) => change !== null)) return null;
      // An unknown field of an edit must be shown too.
      const known = edits.every((edit) => Object.keys(edit as JsonObject).every((name) => EDIT_FIELDS.includes(name)));
      return { path, changes, rest: omit(input, known ? ['edits'] : []) };
    }
    default:
      return null;
  }
}

const EDIT_FIELDS = ['old_string', 'new_string', 'replace_all'];

function toChange(edit: JsonObject): FileChange | null {
  const before = ownText(edit, 'old_string');
  const after = ownText(edit, 'new_string');
  const everywhere = own(edit, 'replace_all') ?? false;
  if (before === undefined || after === undefined || typeof everywhere !== 'boolean') return null;
  return { before, after, everywhere };
}

function omit(input: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'file_path' && !names.includes(name)));
}
