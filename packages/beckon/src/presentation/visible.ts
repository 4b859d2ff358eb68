import { type Found, findHidden, type Place } from './hidden-characters.ts';
import { findLookAlikes } from './look-alikes.ts';

export type { Place } from './hidden-characters.ts';

/** A character that must be marked, and how often it is repeated if it is hidden. */
interface Mark {
  character: string;
  code: string;
  reason: Found['reason'];
  count: number;
}

/** A piece of a text: shown as it is, or marked. */
export type Piece = string | Mark;

const PLAIN = /^[\n\t -~]*$/;
/** To make one line, read at most so many times its length. */
const LINE_SOURCE = 20;

/** Splits a text so that hidden characters and look-alikes can be marked. Every surface shows these pieces. */
export function splitHidden(text: string, place: Place): Piece[] {
  if (PLAIN.test(text)) return text === '' ? [] : [text];
  const plain = text.replaceAll('\r\n', '\n');
  const found = [...findHidden(plain, place), ...findLookAlikes(plain, place)].toSorted((a, b) => a.at - b.at);
  const pieces: Piece[] = [];
  let end = 0;
  for (const { at, character, reason } of found) {
    const mark = { character, code: toCode(character), reason, count: 1 };
    const next = at + character.length;
    // Do not mark a text twice: a sentence may contain texts that are already marked.
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

/** A piece in words: `[U+202E]` replaces a hidden character, and follows a look-alike. */
export function spell(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  const { character, code, reason, count } = piece;
  if (reason === 'look-alike') return `${character}[${code}]`;
  return count === 1 ? `[${code}]` : `[${code} ×${count}]`;
}

/** Makes a text safe to show: it cannot move the cursor, hide itself, or pass for another text. */
export function toVisible(text: string, place: Place = 'prose'): string {
  return splitHidden(text, place).map(spell).join('');
}

/**
 * The same on one line of at most `chars` characters. A cut is marked with an ellipsis, and leaves every mark whole.
 */
export function toVisibleLine(text: string, chars = Number.POSITIVE_INFINITY, place: Place = 'prose'): string {
  const begun = text.replace(/^[ \t\n]+/, '');
  // Making one line of a megabyte must not read all of it.
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

/** JSON to be shown as code. Hidden characters are not escaped, but marked later, as everywhere. */
export function toJsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(/\\(?:[\\"nt]|u[0-9a-f]{4}|[bfr])/g, (escape) =>
    /^\\[\\"nt]/.test(escape) ? escape : (JSON.parse(`"${escape}"`) as string),
  );
}

/** JSON for an editor: hidden characters are written as escapes, which mean the same. */
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

/** Counts the units that fit into so many characters. */
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
