import type { Json, JsonObject } from '../protocol/json.ts';
import { isObject } from '../protocol/json.ts';
import type { ApprovalRequest } from '../protocol/requests.ts';
import { findPatch, own, ownText } from '../protocol/tool-input.ts';
import type { FileChange, Step } from './file-change.ts';
import { parsePatch } from './patch.ts';

/** What a call does to files, and the fields of its input that this does not say. */
export interface Changes {
  files: FileChange[];
  rest: JsonObject;
}

/** Reads the input of a tool that changes files; `null` for other tools, and for inputs that do not fit the tool. */
export function readChanges({ tool, input }: Pick<ApprovalRequest, 'tool' | 'input'>): Changes | null {
  switch (tool) {
    case 'Write':
      return readWrite(input);
    case 'Edit':
      return readEdit(input);
    case 'MultiEdit':
      return readEdits(input);
    case 'NotebookEdit':
      return readCell(input);
    case 'apply_patch':
      return readPatch(input);
    default:
      return null;
  }
}

function readWrite(input: JsonObject): Changes | null {
  const path = ownText(input, 'file_path');
  const content = ownText(input, 'content');
  if (path === undefined || content === undefined) return null;
  return { files: [{ path, steps: [{ type: 'write', content }] }], rest: omit(input, ['file_path', 'content']) };
}

const EDIT_FIELDS = ['file_path', 'old_string', 'new_string', 'replace_all'];

function readEdit(input: JsonObject): Changes | null {
  const path = ownText(input, 'file_path');
  const step = toReplacement(input);
  if (path === undefined || step === null) return null;
  return { files: [{ path, steps: [step] }], rest: omit(input, EDIT_FIELDS) };
}

function readEdits(input: JsonObject): Changes | null {
  const path = ownText(input, 'file_path');
  const edits = own(input, 'edits');
  if (path === undefined || !Array.isArray(edits) || edits.length === 0) return null;
  const steps = edits.map((edit) => (isObject(edit) ? toReplacement(edit) : null));
  if (!steps.every((step) => step !== null)) return null;
  // An unknown field of an edit must be shown too.
  const isPlain = edits.every((edit) => isObject(edit) && Object.keys(omit(edit, EDIT_FIELDS.slice(1))).length === 0);
  return { files: [{ path, steps }], rest: omit(input, ['file_path', ...(isPlain ? ['edits'] : [])]) };
}

function toReplacement(edit: JsonObject): Step | null {
  const before = ownText(edit, 'old_string');
  const after = ownText(edit, 'new_string');
  const everywhere = own(edit, 'replace_all') ?? false;
  if (before === undefined || after === undefined || typeof everywhere !== 'boolean') return null;
  return before === '' ? { type: 'create', content: after } : { type: 'replace', before, after, everywhere };
}

function readCell(input: JsonObject): Changes | null {
  const path = ownText(input, 'notebook_path');
  const after = ownText(input, 'new_source');
  const mode = own(input, 'edit_mode') ?? 'replace';
  if (path === undefined || after === undefined) return null;
  if (mode !== 'replace' && mode !== 'insert' && mode !== 'delete') return null;
  const step: Step = { type: 'cell', cell: ownText(input, 'cell_id'), mode, after };
  return {
    files: [{ path, steps: [step] }],
    rest: omit(input, ['notebook_path', 'new_source', 'cell_id', 'edit_mode']),
  };
}

function readPatch(input: JsonObject): Changes | null {
  const patch = findPatch(input);
  const files = patch === undefined ? null : parsePatch(patch.text);
  // A list with more words than the program's name does more than the patch says.
  if (patch === undefined || files === null || !isAlone(own(input, patch.field))) return null;
  return { files, rest: omit(input, [patch.field, 'description']) };
}

function isAlone(value: Json | undefined): boolean {
  return !Array.isArray(value) || (value.length === 2 && value[0] === 'apply_patch');
}

function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
