import { resolve } from 'node:path';
import { listPatchedFiles } from '../calls/list-patched-files.ts';
import type { JsonObject } from '../protocol/json.ts';
import { findPatch } from '../protocol/tool-input.ts';

/** Lines of a file, from 0; the last one is not included. */
export type LineRange = readonly [from: number, to: number];

/** A file that a call will change. */
export interface ChangedFile {
  /** Absolute. */
  path: string;
  /** The lines that will change. */
  findLines(content: string): LineRange[];
  /** The part to show instead of lines of the file, such as the source of a cell; `null`: there is none. */
  toPart?: (content: string) => string | null;
}

/** Most places of one file that are looked for. */
const MOST_PLACES = 50;

/** The files that a call of a tool will change: Edit, MultiEdit, Write, NotebookEdit and apply_patch. Others: none. */
export function listChangedFiles(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  folder: string,
): ChangedFile[] {
  switch (tool) {
    case 'Edit':
    case 'MultiEdit':
      return toFile(folder, input['file_path'], (content) => findTexts(content, listReplaced(input)));
    case 'Write':
      return toFile(folder, input['file_path'], (content) => [findDifference(content, toText(input['content']))]);
    case 'NotebookEdit':
      return toFile(
        folder,
        input['notebook_path'],
        () => [],
        (content) => findCell(content, input),
      );
    case 'apply_patch':
      return listPatchedFiles(findPatch(input as JsonObject)?.text ?? '').map(({ path, places }) => ({
        path: resolve(folder, path),
        findLines: (content) => findTexts(content, places),
      }));
    default:
      return [];
  }
}

function toFile(
  folder: string,
  path: unknown,
  findLines: ChangedFile['findLines'],
  toPart?: ChangedFile['toPart'],
): ChangedFile[] {
  if (typeof path !== 'string' || path === '') return [];
  return [{ path: resolve(folder, path), findLines, ...(toPart !== undefined && { toPart }) }];
}

function listReplaced(input: Readonly<Record<string, unknown>>): string[] {
  const edits = Array.isArray(input['edits']) ? (input['edits'] as unknown[]) : [input];
  return edits.map((edit) => toText((edit as Record<string, unknown> | null)?.['old_string'])).filter((text) => text);
}

/** The lines of each place with one of these texts. */
function findTexts(content: string, texts: readonly string[]): LineRange[] {
  const ranges: LineRange[] = [];
  const usesCrLf = content.includes('\r\n');
  for (const wanted of texts) {
    const text = usesCrLf && !content.includes(wanted) ? wanted.replaceAll(/\r?\n/g, '\r\n') : wanted;
    let line = 0;
    let counted = 0;
    for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + text.length)) {
      line += countBreaks(content, counted, at);
      counted = at;
      ranges.push([line, line + countBreaks(text, 0, text.length) + 1]);
      if (ranges.length >= MOST_PLACES) return ranges;
    }
  }
  return ranges;
}

/** What is between the lines that both have at the beginning and at the end. */
function findDifference(before: string, after: string): LineRange {
  const old = before.split('\n');
  const fresh = after.split('\n');
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  return [start, old.length - end];
}

/** The source of the cell that a call replaces or deletes. */
function findCell(content: string, { cell_id: id, edit_mode: mode }: Readonly<Record<string, unknown>>): string | null {
  if (mode === 'insert') return null;
  try {
    const { cells } = JSON.parse(content) as { cells?: { id?: unknown; source?: unknown }[] };
    // Cells of an old notebook have no id; Claude Code then counts them: `cell-3`.
    const index = /^cell-(\d+)$/.exec(toText(id))?.[1];
    const cell = cells?.find((one) => one.id === id) ?? (index === undefined ? cells?.[0] : cells?.[Number(index)]);
    const source = cell?.source;
    return Array.isArray(source) ? source.join('') : typeof source === 'string' ? source : null;
  } catch {
    return null;
  }
}

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
