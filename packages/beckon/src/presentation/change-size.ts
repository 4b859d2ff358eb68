import type { Interaction } from '../protocol/interaction.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';
import { findPatch } from '../protocol/tool-input.ts';

/** Texts whose lines need more comparisons than this are not counted: a list must not wait for them. */
const MOST_COMPARISONS = 1_000_000;

/** How many lines a call adds and removes. */
export interface ChangeSize {
  added: number;
  removed: number;
}

/**
 * How many lines a call will add and remove, as far as its input alone tells; `null` if it changes no file, or if the
 * count is not known: a replacement of every occurrence, or texts that are too long to compare.
 */
export function toChangeSize(interaction: Interaction): ChangeSize | null {
  if (interaction.kind !== 'approval') return null;
  const { tool, input } = interaction.request;
  switch (tool) {
    case 'Edit':
      return toEditSize(input);
    case 'MultiEdit':
      return toEditsSize(input['edits']);
    case 'Write':
      return toWriteSize(input['content'], input['file_path'], interaction);
    case 'apply_patch':
      return toPatchSize(input);
    default:
      return null;
  }
}

function toEditSize(edit: unknown): ChangeSize | null {
  if (!isObject(edit)) return null;
  const { old_string: before, new_string: after, replace_all: isEverywhere } = edit;
  if (typeof before !== 'string' || typeof after !== 'string' || isEverywhere === true) return null;
  return compareLines(before, after);
}

function toEditsSize(edits: unknown): ChangeSize | null {
  if (!Array.isArray(edits) || edits.length === 0) return null;
  const total = { added: 0, removed: 0 };
  for (const edit of edits) {
    const size = toEditSize(edit);
    if (size === null) return null;
    total.added += size.added;
    total.removed += size.removed;
  }
  return total;
}

// Only of a new file is it known what it held before: nothing.
function toWriteSize(content: unknown, path: unknown, { context }: Interaction): ChangeSize | null {
  const isNew = context?.files?.some((file) => file.path === path && file.isNew === true) === true;
  return isNew && typeof content === 'string' ? { added: toLines(content).length, removed: 0 } : null;
}

function toPatchSize(input: JsonObject): ChangeSize | null {
  const lines = findPatch(input)?.text.split('\n');
  if (lines === undefined) return null;
  return {
    added: lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length,
    removed: lines.filter((line) => /^-(?!-- )/.test(line)).length,
  };
}

function compareLines(before: string, after: string): ChangeSize | null {
  if (before === '' || after === '') return { added: toLines(after).length, removed: toLines(before).length };
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length * added.length > MOST_COMPARISONS) return null;
  const same = countCommon(removed, added);
  return { added: added.length - same, removed: removed.length - same };
}

/** The length of the longest common subsequence. */
function countCommon(one: readonly string[], other: readonly string[]): number {
  let before: number[] = Array.from({ length: other.length + 1 }, () => 0);
  for (const line of one) {
    const row = [0];
    for (const [at, text] of other.entries()) {
      row.push(line === text ? Number(before[at]) + 1 : Math.max(Number(before[at + 1]), Number(row[at])));
    }
    before = row;
  }
  return Number(before.at(-1));
}

// A line end at the end of a text does not start another line.
function toLines(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}
