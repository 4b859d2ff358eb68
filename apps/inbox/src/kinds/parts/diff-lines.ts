import { diffLines, diffWordsWithSpace } from 'diff';

/** A part of a line; `changed` if it differs from the other side. */
export interface LinePart {
  text: string;
  changed: boolean;
}

/** One line of a unified diff. Line numbers count from 1; a `gap` replaces `hidden` unchanged lines. */
export type DiffLine =
  | { type: 'same'; text: string; before: number; after: number }
  | { type: 'removed'; parts: LinePart[]; before: number }
  | { type: 'added'; parts: LinePart[]; after: number }
  | { type: 'gap'; hidden: number };

/** A diff and its size. `exact` is false if the texts were too different to compare in time. */
export interface Diff {
  lines: DiffLine[];
  added: number;
  removed: number;
  exact: boolean;
}

const CONTEXT = 3;
/** Entirely different texts take quadratic time to compare. After this long, one simply replaces the other. */
const LIMIT_MS = 400;
const WORDS_LIMIT = 400;

/** Compares two texts line by line, and paired lines word by word. */
export function createDiff(before: string, after: string): Diff {
  const isOneSided = before === '' || after === '';
  const changes = isOneSided ? undefined : diffLines(before, after, { timeout: LIMIT_MS });
  const blocks =
    changes === undefined
      ? [
          { removed: true, added: false, lines: toLines(before) },
          { removed: false, added: true, lines: toLines(after) },
        ]
      : changes.map(({ value, added, removed }) => ({ added, removed, lines: toLines(value) }));
  const lines = fold(toDiffLines(blocks));
  return {
    lines,
    added: blocks.filter(({ added }) => added).reduce((sum, block) => sum + block.lines.length, 0),
    removed: blocks.filter(({ removed }) => removed).reduce((sum, block) => sum + block.lines.length, 0),
    exact: isOneSided || changes !== undefined,
  };
}

interface Block {
  added: boolean;
  removed: boolean;
  lines: string[];
}

// A line end at the end of a text does not start another line.
function toLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function toDiffLines(blocks: readonly Block[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 1;
  let after = 1;
  let counterparts: LinePart[][] = [];
  for (const [index, { added, removed, lines: texts }] of blocks.entries()) {
    const next = blocks[index + 1];
    // If as many lines are added as removed, they pair up.
    const isPaired = removed && next?.added === true && next.lines.length === texts.length;
    const pairs = isPaired ? texts.map((text, at) => compareWords(text, next.lines[at] ?? '')) : [];
    for (const [at, text] of texts.entries()) {
      if (removed) lines.push({ type: 'removed', parts: pairs[at]?.[0] ?? whole(text), before: before++ });
      else if (added) lines.push({ type: 'added', parts: counterparts[at] ?? whole(text), after: after++ });
      else lines.push({ type: 'same', text, before: before++, after: after++ });
    }
    counterparts = pairs.map(([, parts]) => parts);
  }
  return lines;
}

function whole(text: string): LinePart[] {
  return [{ text, changed: false }];
}

function compareWords(before: string, after: string): [LinePart[], LinePart[]] {
  if (before.length > WORDS_LIMIT || after.length > WORDS_LIMIT) return [whole(before), whole(after)];
  const words = diffWordsWithSpace(before, after);
  const same = words
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.length, 0);
  // Lines with little in common are easier to read without marks.
  if (same * 3 < Math.max(before.length, after.length)) return [whole(before), whole(after)];
  return [
    words.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, changed: removed })),
    words.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, changed: added })),
  ];
}

/** Leaves out unchanged lines, except a few around each change. */
function fold(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  for (const [index, { type }] of lines.entries()) {
    if (type === 'same') continue;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) near.add(at);
  }
  const folded: DiffLine[] = [];
  let hidden = 0;
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0) folded.push({ type: 'gap', hidden });
    hidden = 0;
    folded.push(line);
  }
  return hidden > 0 ? [...folded, { type: 'gap', hidden }] : folded;
}
