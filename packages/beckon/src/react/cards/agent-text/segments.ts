import { type Piece, splitHidden } from '../../../presentation/index.ts';
import type { FindingLayer, FoundWords } from './findings.ts';

/** A mark for a part of a line. `changed`: the other side of a diff has something else there. */
export interface Layers {
  /** The looks of the code, with the length of each part. */
  tokens?: readonly (readonly [length: number, look: string | null])[] | undefined;
  words?: readonly { text: string; changed: boolean }[] | undefined;
  /** What is risky, with the length of each part. */
  findings?: FindingLayer | undefined;
  /** Tabs and spaces are made visible: all of them, those that changed or stand at the end, or none. */
  spaces?: 'all' | 'telling' | 'none';
}

/** A part of a line with one look. Joined, the texts of all segments are the line. */
export interface Segment {
  text: string;
  look: string | null;
  isChanged: boolean;
  found: FoundWords | null;
  /** What is made visible: a character that draws nothing or passes for another, a tab, spaces. */
  mark: Exclude<Piece, string> | 'tab' | 'space' | null;
}

/**
 * Cuts a line where any of its layers changes. Hidden characters are looked for in the whole line first: what passes
 * for another letter depends on the letters around it.
 */
export function toSegments(
  text: string,
  { tokens = [], words = [], findings = [], spaces = 'none' }: Layers,
): Segment[] {
  const looks = toEnds(tokens.map(([length, look]) => [length, look] as const));
  const changes = toEnds(words.map((word) => [word.text.length, word.changed] as const));
  const risks = toEnds(findings);
  const inkEnd = text.trimEnd().length;
  const segments: Segment[] = [];
  let at = 0;
  for (const piece of splitHidden(text, 'code')) {
    const length = typeof piece === 'string' ? piece.length : piece.character.length * piece.count;
    const end = at + length;
    while (at < end) {
      const look = find(looks, at);
      const change = find(changes, at);
      const risk = find(risks, at);
      const next = Math.min(end, look.end, change.end, risk.end);
      const part = {
        look: look.value ?? null,
        isChanged: change.value ?? false,
        found: risk.value ?? null,
      };
      if (typeof piece !== 'string') segments.push({ ...part, text: text.slice(at, end), mark: piece });
      else {
        const isShown = spaces === 'all' || (spaces === 'telling' && part.isChanged);
        segments.push(
          ...markSpaces(text.slice(at, next), isShown ? 0 : spaces === 'none' ? next - at : inkEnd - at, part),
        );
      }
      at = typeof piece === 'string' ? next : end;
    }
  }
  return segments;
}

interface Ends<Value> {
  ends: readonly number[];
  values: readonly Value[];
  /** Where the last search ended: lines are read from left to right. */
  at: number;
}

function toEnds<Value>(parts: readonly (readonly [number, Value])[]): Ends<Value> {
  let end = 0;
  const ends = parts.map(([length]) => (end += length));
  return { ends, values: parts.map(([, value]) => value), at: 0 };
}

function find<Value>(layer: Ends<Value>, offset: number): { value: Value | undefined; end: number } {
  while (layer.at < layer.ends.length && (layer.ends[layer.at] ?? 0) <= offset) layer.at += 1;
  return { value: layer.values[layer.at], end: layer.ends[layer.at] ?? Number.POSITIVE_INFINITY };
}

/** Separates the tabs and spaces from `from` on, and tabs everywhere if anything is marked. */
function markSpaces(text: string, from: number, part: Omit<Segment, 'text' | 'mark'>): Segment[] {
  if (from >= text.length || !/[\t ]/.test(text)) return [{ ...part, text, mark: null }];
  const start = Math.max(0, from);
  const plain = text.slice(0, start);
  const rest = text
    .slice(start)
    .split(/(\t| +)/)
    .filter((one) => one !== '');
  return [
    ...(plain === '' ? [] : [{ ...part, text: plain, mark: null }]),
    ...rest.map((one): Segment => ({ ...part, text: one, mark: toSpace(one) })),
  ];
}

function toSpace(text: string): 'tab' | 'space' | null {
  if (text === '\t') return 'tab';
  return text.startsWith(' ') ? 'space' : null;
}
