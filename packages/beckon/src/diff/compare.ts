import { diffArrays, diffWordsWithSpace } from 'diff';
import type { Budget } from './budget.ts';
import { type DiffLine, type Line, toLines, toRaw, type Word } from './diff-line.ts';

/** Lines that stand together on one side. */
export interface Block {
  kind: DiffLine['kind'];
  lines: readonly Line[];
}

/** Two texts side by side. `isExact` is false if they were too different to compare in time. */
export interface Comparison {
  lines: DiffLine[];
  isExact: boolean;
}

/** Words of longer lines are not compared, nor those of more lines than this. */
const WORDS_CHARS = 400;
const WORDS_LINES = 1_000;
/** One pair of lines must not take the time of all the others. */
const WORDS_MS = 20;

/** Compares two texts line by line, and paired lines word by word. `first` are the numbers of their first lines. */
export function compareTexts(
  before: string,
  after: string,
  budget: Budget,
  first: { before: number; after: number } = { before: 1, after: 1 },
): Comparison {
  const [old, changed] = [toLines(before), toLines(after)];
  const blocks = toBlocks(old, changed, budget);
  const replaced: Block[] = [
    { kind: 'removed', lines: old },
    { kind: 'added', lines: changed },
  ];
  return { lines: toDiffLines(blocks ?? replaced, budget, first), isExact: blocks !== null };
}

/** Numbers the lines of blocks, and compares the words of lines that were replaced. */
export function toDiffLines(
  blocks: readonly Block[],
  budget: Budget,
  first: { before: number; after: number } = { before: 1, after: 1 },
): DiffLine[] {
  const lines: DiffLine[] = [];
  let { before, after } = first;
  let compared = 0;
  let counterparts: (Word[] | undefined)[] = [];
  for (const [index, { kind, lines: block }] of blocks.entries()) {
    const next = blocks[index + 1];
    const others = kind === 'removed' && next?.kind === 'added' ? next.lines : [];
    const pairs = block.slice(0, Math.max(0, WORDS_LINES - compared)).map(({ text }, at) => {
      const other = others[at];
      return other === undefined || budget.isSpent() ? null : compareWords(text, other.text, budget);
    });
    compared += others.length;
    for (const [at, line] of block.entries()) {
      if (kind === 'same') lines.push({ kind, ...line, before: before++, after: after++ });
      else {
        const words = kind === 'removed' ? pairs[at]?.[0] : counterparts[at];
        const number = kind === 'removed' ? { before: before++ } : { after: after++ };
        lines.push({ kind, ...line, ...number, ...(words !== undefined && { words }) });
      }
    }
    counterparts = pairs.map((pair) => pair?.[1]);
  }
  return lines;
}

function toBlocks(before: readonly Line[], after: readonly Line[], budget: Budget): Block[] | null {
  // The same lines at both ends need no comparison, and are most of a large file.
  let start = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < most - start && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const old = before.slice(start, before.length - end);
  const changed = after.slice(start, after.length - end);
  const middle = compareLines(old, changed, budget);
  if (middle === null) return null;
  const blocks: Block[] = [
    { kind: 'same', lines: before.slice(0, start) },
    ...middle,
    { kind: 'same', lines: before.slice(before.length - end) },
  ];
  return blocks.filter(({ lines }) => lines.length > 0);
}

function compareLines(before: readonly Line[], after: readonly Line[], budget: Budget): Block[] | null {
  if (before.length === 0 || after.length === 0) {
    return [
      { kind: 'removed', lines: before },
      { kind: 'added', lines: after },
    ];
  }
  const changes = diffArrays(before.map(toRaw), after.map(toRaw), { timeout: budget.left() });
  return (
    changes?.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      lines: value.flatMap(toLines),
    })) ?? null
  );
}

function isSame(one: Line | undefined, other: Line | undefined): boolean {
  return one?.text === other?.text && one?.end === other?.end;
}

function compareWords(before: string, after: string, budget: Budget): [Word[], Word[]] | null {
  if (before === after || before.length > WORDS_CHARS || after.length > WORDS_CHARS) return null;
  const words = diffWordsWithSpace(before, after, { timeout: Math.min(WORDS_MS, budget.left()) });
  if (words === undefined) return null;
  const sides: [Word[], Word[]] = [
    words.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    words.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  ];
  const same = words.filter(({ added, removed }) => !added && !removed);
  const length = same.reduce((sum, { value }) => sum + value.trim().length, 0);
  // Lines with little in common are easier to read without marks.
  const isAlike = length * 3 >= Math.max(before.trim().length, after.trim().length);
  return isAlike ? sides : null;
}
