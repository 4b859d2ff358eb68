import { type Found, findHidden, type Place } from './hidden-characters.ts';
import { findLookAlikes } from './look-alikes.ts';

export type { Place } from './hidden-characters.ts';

/** A character that must not work unseen, and how often it stands there in a row, where it is hidden. */
interface Mark {
  character: string;
  code: string;
  reason: Found['reason'];
  count: number;
}

/** A piece of a text: shown as it is, or marked. */
export type Piece = string | Mark;

const PLAIN = /^[\n\t -~]*$/;
/** One line is made of so many times its length at most. */
const LINE_SOURCE = 20;

/** Splits a text so that what would be unseen, or taken for another letter, can be marked. Every surface shows these pieces. */
export function splitHidden(text: string, place: Place): Piece[] {
  if (PLAIN.test(text)) return text === '' ? [] : [text];
  const plain = text.replaceAll('\r\n', '\n');
  const found = [...findHidden(plain, place), ...findLookAlikes(plain, place)].toSorted((a, b) => a.at - b.at);
  const pieces: Piece[] = [];
  let end = 0;
  for (const { at, character, reason } of found) {
    const mark = { character, code: toCode(character), reason, count: 1 };
    const next = at + character.length;
    // A text that went through here before is not marked twice: a sentence may be made of texts that are ready.
    if (at < end || (reason === 'look-alike' && plain.startsWith(`[${mark.code}]`, next))) continue;
    if (at > end) pieces.push(plain.slice(end, at));
    const last = pieces.at(-1);
    if (reason === 'hidden' && typeof last === 'object' && last.character === character) last.count += 1;
    else pieces.push(mark);
    end = next;
  }
  if (end < plain.length) pieces.push(plain.slice(end));
  return pieces;
}

/** The words for a piece: `[U+202E]` stands for what is hidden, and behind what looks like another. */
export function spell(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  const { character, code, reason, count } = piece;
  if (reason === 'look-alike') return `${character}[${code}]`;
  return count === 1 ? `[${code}]` : `[${code} ×${count}]`;
}

/** Makes visible what could make a surface lie: an agent's text must not move the cursor, hide itself, or pass for another. */
export function toVisible(text: string, place: Place = 'prose'): string {
  return splitHidden(text, place).map(spell).join('');
}

/** The same on one line of at most `chars` characters. A cut is marked with an ellipsis, and leaves every mark whole. */
export function toVisibleLine(text: string, chars = Number.POSITIVE_INFINITY, place: Place = 'prose'): string {
  const begun = text.replace(/^[ \t\n]+/, '');
  // One line of a megabyte must not take a walk through all of it.
  const start = cutWhole(begun, chars * LINE_SOURCE);
  const isAll = start.length === begun.length || /^[ \t\n]*$/.test(begun.slice(start.length));
  const units = splitHidden(start, place).flatMap((piece) =>
    typeof piece === 'string' ? Array.from(piece.replaceAll(/\s+/g, ' ')) : [spell(piece)],
  );
  if (units[0] === ' ') units.shift();
  if (units.at(-1) === ' ') units.pop();
  const isShort = countFitting(units, chars) === units.length;
  return isAll && isShort ? units.join('') : `${units.slice(0, countFitting(units, chars - 1)).join('')}…`;
}

/** How many characters of a text are marked. */
export function countHidden(text: string, place: Place): number {
  return splitHidden(text, place).reduce((sum, piece) => (typeof piece === 'string' ? sum : sum + piece.count), 0);
}

/** JSON to be shown as code. What JSON escapes only because it cannot be seen is left to be marked, as everywhere. */
export function toJsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(/\\(?:[\\"nt]|u[0-9a-f]{4}|[bfr])/g, (escape) =>
    /^\\[\\"nt]/.test(escape) ? escape : (JSON.parse(`"${escape}"`) as string),
  );
}

/** JSON for an editor: what would be unseen is written as an escape, which means the same. */
export function toEditableJson(value: unknown): string {
  return splitHidden(JSON.stringify(value, null, 2), 'code')
    .map((piece) => (typeof piece === 'string' ? piece : toEscape(piece.character).repeat(piece.count)))
    .join('');
}

function cutWhole(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

/** How many units fit into so many characters. */
function countFitting(units: readonly string[], chars: number): number {
  let used = 0;
  const end = units.findIndex((unit) => {
    used += unit.length > 2 ? Array.from(unit).length : 1;
    return used > chars;
  });
  return end === -1 ? units.length : end;
}

function toEscape(character: string): string {
  return character
    .split('')
    .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function toCode(character: string): string {
  return `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
}
