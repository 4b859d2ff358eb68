import { isObject, type Json, type JsonObject, own, ownText } from '../../../../protocol/index.ts';
import { texts } from './texts.ts';
import { findScript } from './tools.ts';

/** A text of the input that is edited as it is. Line ends are `\n` while it is edited, as a text area has them. */
export interface EditField {
  path: readonly (string | number)[];
  label: string;
  /** A file name, or a name of the language: what the text is written in. */
  language: string | null;
  file?: string;
  text: string;
  isCrlf: boolean;
}

/**
 * The texts of a call that people edit plainly: a script, the new content of a file. `null`: the input is edited as
 * JSON, because the tool is not known, or because a text area would change the text by itself, or be too slow.
 */
export function toEditFields(tool: string, input: JsonObject): EditField[] | null {
  const found = findTexts(tool, input);
  if (found === null || found.some(({ text }) => text.split('\n').length > MOST_LINES)) return null;
  const fields = found.map(({ text, ...field }) => {
    const isCrlf = text.includes('\r\n');
    const plain = text.replaceAll('\r\n', '\n');
    const isKept = !plain.includes('\r') && (!isCrlf || plain.replaceAll('\n', '\r\n') === text);
    return isKept ? { ...field, text: plain, isCrlf } : null;
  });
  return fields.every((field) => field !== null) ? fields : null;
}

/** The input with other texts in its fields; the same input if nothing is different. */
export function applyTexts(
  input: JsonObject,
  fields: readonly EditField[],
  edited: Readonly<Record<string, string>>,
): JsonObject {
  return fields.reduce((changed, field) => {
    const text = edited[toFieldKey(field)] ?? field.text;
    if (text === field.text) return changed;
    return setAt(changed, field.path, field.isCrlf ? text.replaceAll('\n', '\r\n') : text) as JsonObject;
  }, input);
}

/** The name of a field in a draft. */
export function toFieldKey({ path }: EditField): string {
  return path.join('.');
}

type Found = Omit<EditField, 'isCrlf'>;

/** More text areas would be harder to find one's way in than JSON. */
const MOST_FIELDS = 50;
/** Browsers take seconds to draw a text area of more lines. */
const MOST_LINES = 20_000;
const PATCH_FIELDS = ['command', 'patch', 'input', 'diff'];

function findTexts(tool: string, input: JsonObject): Found[] | null {
  const script = findScript(tool, input);
  if (script !== null) {
    return [{ path: [script.field], label: texts.command, language: script.language, text: script.text }];
  }
  switch (tool) {
    case 'Write':
      return toFound(input, 'content', texts.editContent, 'file_path');
    case 'Edit':
      return toFound(input, 'new_string', texts.editNew, 'file_path');
    case 'NotebookEdit':
      return toFound(input, 'new_source', texts.editCell, null);
    case 'apply_patch': {
      const field = PATCH_FIELDS.find((name) => ownText(input, name) !== undefined);
      return field === undefined ? null : toFound(input, field, texts.editPatch, null);
    }
    case 'MultiEdit': {
      const edits = own(input, 'edits');
      if (!Array.isArray(edits) || edits.length === 0 || edits.length > MOST_FIELDS) return null;
      const found = edits.map((edit, index): Found | null => {
        const text = isObject(edit) ? ownText(edit, 'new_string') : undefined;
        if (text === undefined) return null;
        const file = ownText(input, 'file_path');
        const label = edits.length === 1 ? texts.editNew : texts.editOne(index + 1, edits.length);
        return { path: ['edits', index, 'new_string'], label, language: null, text, ...(file && { file }) };
      });
      return found.every((field) => field !== null) ? found : null;
    }
    default:
      return null;
  }
}

function toFound(input: JsonObject, name: string, label: string, fileField: string | null): Found[] | null {
  const text = ownText(input, name);
  if (text === undefined) return null;
  const file = fileField === null ? undefined : ownText(input, fileField);
  return [{ path: [name], label, language: null, text, ...(file !== undefined && { file }) }];
}

function setAt(value: Json, [step, ...rest]: readonly (string | number)[], text: string): Json {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? setAt(item, rest, text) : item));
  if (!isObject(value)) return value;
  return { ...value, [step]: setAt(value[step] ?? null, rest, text) };
}
