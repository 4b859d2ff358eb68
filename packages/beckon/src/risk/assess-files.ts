import type { Call, CallText } from '../calls/read-call.ts';
import type { ContextSummary } from '../protocol/context.ts';
import type { JsonObject } from '../protocol/json.ts';
import { findPatch, own, ownText } from '../protocol/tool-input.ts';
import type { ReportAt } from './assess-tool.ts';
import type { Report } from './codes.ts';
import { findReadCodes, findWriteCodes, isOutside, isTemporary, type Where } from './files.ts';
import { checkCharacters, checkContent } from './texts.ts';

/** So many deleted files are many. */
const MANY = 5;
const MOST_PATH = 4096;
const CONTENT_FIELDS = ['content', 'new_string', 'newString', 'new_source', 'file_text'];
const SCRIPTS = /"(?:scripts|preinstall|install|postinstall|prepare|prepublish|prepack|postpack)"\s*:/;

interface Around {
  where: Where;
  context: Pick<ContextSummary, 'files'> | undefined;
  reportAt: ReportAt;
}

/** Reports what is special about reading or writing files: their places, what they are, and what is put into them. */
export function assessFiles(call: Call, input: JsonObject, { where, context, reportAt }: Around): void {
  const patch = call.family === 'edit' ? readPatch(input) : undefined;
  for (const file of call.files) {
    const report = patch === undefined ? reportAt(file.path, file.text) : toPatchReport(patch, file, reportAt);
    checkFile(file.text, call.family === 'edit', where, report);
    const target = context?.files?.find(({ path }) => path === file.text)?.target;
    if (target === undefined) continue;
    report('leads-elsewhere');
    checkFile(target, call.family === 'edit', where, report);
  }
  if (call.family !== 'edit') return;
  const isPackage = call.files.some(({ text }) => /(?:^|\/)package\.json$/.test(text));
  if (patch !== undefined) {
    const report = reportAt(patch.path, patch.text);
    checkContent(patch.text, report);
    if (isPackage && SCRIPTS.test(patch.text)) report('package-scripts');
    checkDeleted(patch.text, report);
    return;
  }
  for (const { text, path } of toContents(input)) {
    const report = reportAt(path, text);
    checkContent(text, report);
    const scripts = isPackage ? SCRIPTS.exec(text) : null;
    if (scripts !== null) report('package-scripts', { start: scripts.index, end: scripts.index + scripts[0].length });
  }
}

/** The patch of a call, and the path that leads to it: it may be one word of a list. */
function readPatch(input: JsonObject): CallText | undefined {
  const patch = findPatch(input);
  if (patch === undefined) return undefined;
  const value = own(input, patch.field);
  const path = Array.isArray(value) ? [patch.field, String(value.indexOf(patch.text))] : [patch.field];
  return { text: patch.text, path };
}

function checkFile(path: string, isWritten: boolean, where: Where, report: Report): void {
  checkCharacters(path, report);
  if (path.length > MOST_PATH) return;
  if (isWritten) {
    for (const code of findWriteCodes(path, where)) report(code);
    return;
  }
  const codes = findReadCodes(path, where);
  for (const code of codes) report(code);
  if (codes.length === 0 && isOutside(path, where) && !isTemporary(path)) report('outside-read');
}

/** The new texts of an edit, and the paths that lead to them. */
function toContents(input: JsonObject): CallText[] {
  const contents = CONTENT_FIELDS.flatMap((field) => {
    const text = ownText(input, field);
    return text === undefined ? [] : [{ text, path: [field] }];
  });
  const edits = own(input, 'edits');
  if (!Array.isArray(edits)) return contents;
  return edits.slice(0, MOST_PATH).reduce<CallText[]>((all, edit, index) => {
    if (typeof edit !== 'object' || edit === null || Array.isArray(edit)) return all;
    for (const field of CONTENT_FIELDS) {
      const text = ownText(edit, field);
      if (text !== undefined) all.push({ text, path: ['edits', String(index), field] });
    }
    return all;
  }, contents);
}

function toPatchReport(patch: CallText, file: CallText, reportAt: ReportAt): Report {
  const report = reportAt(patch.path, patch.text);
  const start = patch.text.indexOf(file.text);
  return (code) => report(code, { start, end: start + file.text.length });
}

function checkDeleted(patch: string, report: Report): void {
  const deleted = [...patch.matchAll(/^\*\*\* Delete File: .+$|^\+\+\+ \/dev\/null$/gm)];
  const first = deleted[0];
  if (first === undefined) return;
  report(deleted.length >= MANY ? 'many-files-deleted' : 'files-deleted', {
    start: first.index,
    end: first.index + first[0].length,
  });
}
