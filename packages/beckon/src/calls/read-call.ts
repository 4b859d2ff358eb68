import type { InteractionOf } from '../protocol/interaction.ts';
import { isObject, type Json, type JsonObject } from '../protocol/json.ts';
import { findPatch, own, ownText } from '../protocol/tool-input.ts';
import { isPlainPatch, listPatchedFiles } from './list-patched-files.ts';
import { type Family, toFamily } from './tools.ts';

/** A text of a call's input, and the path of field names that leads to it. */
export interface CallText {
  text: string;
  path: readonly string[];
}

/** What a tool call does, read from the input of whichever agent asks. */
export interface Call {
  tool: string;
  family: Family;
  /** The text for a shell. */
  command?: CallText;
  /** The folder that the call itself names to run in. */
  folder?: string;
  /** The files that it reads or writes. */
  files: readonly CallText[];
  /** The address that it fetches. */
  url?: CallText;
  /** Fields of the input that nothing above stands for: whoever allows a call must know what they do. */
  others: readonly string[];
}

/** Fields that change nothing about what a call does to the world. */
const HARMLESS: Readonly<Record<Family, readonly string[]>> = {
  command: ['description', 'timeout', 'timeout_ms', 'run_in_background', 'is_background', 'yield_time_ms'],
  edit: [
    'old_string',
    'new_string',
    'replace_all',
    'edits',
    'content',
    'new_source',
    'cell_id',
    'cell_number',
    'cell_type',
    'edit_mode',
    'oldString',
    'newString',
    'replaceAll',
    'expected_replacements',
    'instruction',
    'file_text',
    'old_str',
    'new_str',
  ],
  read: ['offset', 'limit', 'pages', 'view_range'],
  fetch: ['prompt', 'format', 'timeout'],
  mcp: [],
  other: [],
};
/** The fields of one replacement in `edits`. One with another field may be about another file. */
const EDIT_FIELDS = ['old_string', 'new_string', 'replace_all', 'oldString', 'newString', 'replaceAll'];
const FILE_FIELDS = ['file_path', 'notebook_path', 'filePath', 'absolute_path', 'path'];
const FOLDER_FIELDS = ['workdir', 'cwd', 'directory', 'dir_path'];
/** A command as a list of words that only starts a shell on a text: Codex asks so. */
const SHELLS = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/;

/** Reads what a call does. It never throws: what it does not know is among the `others`. */
export function readCall({ request }: Pick<InteractionOf<'approval'>, 'request'>): Call {
  const { tool } = request;
  const input = isObject(request.input) ? request.input : {};
  const family = toFamily(tool);
  const taken = new Set<string>(HARMLESS[family].filter((field) => isHarmless(field, own(input, field))));
  const take = (field: string | undefined): void => {
    if (field !== undefined) taken.add(field);
  };
  const command = family === 'command' ? readCommand(input) : undefined;
  take(command?.path[0]);
  const folderField =
    family === 'command' ? FOLDER_FIELDS.find((name) => ownText(input, name) !== undefined) : undefined;
  take(folderField);
  const { files, isCertain } = family === 'edit' || family === 'read' ? readFiles(input) : NO_FILES;
  if (isCertain) for (const { path } of files) take(path[0]);
  const url = family === 'fetch' ? readText(input, 'url') : undefined;
  take(url?.path[0]);
  return {
    tool,
    family,
    ...(command !== undefined && { command }),
    ...(folderField !== undefined && { folder: ownText(input, folderField) ?? '' }),
    files,
    ...(url !== undefined && { url }),
    others: Object.keys(input).filter((field) => !taken.has(field)),
  };
}

function readText(input: JsonObject, field: string): CallText | undefined {
  const text = ownText(input, field);
  return text === undefined ? undefined : { text, path: [field] };
}

function readCommand(input: JsonObject): CallText | undefined {
  for (const field of ['command', 'cmd']) {
    const text = readText(input, field);
    if (text !== undefined) return text;
    const words = own(input, field);
    if (!Array.isArray(words) || words.length !== 3) continue;
    const [shell, option, script] = words;
    if (typeof shell !== 'string' || !SHELLS.test(shell) || typeof script !== 'string') continue;
    if (option === '-c' || option === '-lc') return { text: script, path: [field, '2'] };
  }
  return undefined;
}

/** Values that a tool can only show, count with or write into the file that it names. */
function isHarmless(field: string, value: Json | undefined): boolean {
  if (field === 'edits') {
    return Array.isArray(value) && value.every((edit) => isObject(edit) && Object.keys(edit).every(isEditField));
  }
  if (field === 'view_range') return Array.isArray(value) && value.every((line) => typeof line === 'number');
  return typeof value !== 'object' || value === null;
}

function isEditField(field: string): boolean {
  return EDIT_FIELDS.includes(field);
}

interface ReadFiles {
  files: CallText[];
  /** Whether these are all. */
  isCertain: boolean;
}

const NO_FILES: ReadFiles = { files: [], isCertain: true };

function readFiles(input: JsonObject): ReadFiles {
  const patch = findPatch(input);
  if (patch === undefined)
    return { files: FILE_FIELDS.flatMap((field) => readText(input, field) ?? []), isCertain: true };
  const value = own(input, patch.field);
  // A list may hold a second patch.
  const texts = [value].flat().filter((part) => typeof part === 'string');
  return {
    files: texts.flatMap((text) => listPatchedFiles(text).map(({ path }) => ({ text: path, path: [patch.field] }))),
    isCertain:
      (typeof value === 'string' || (texts.length === 2 && texts[0] === 'apply_patch')) && isPlainPatch(patch.text),
  };
}
