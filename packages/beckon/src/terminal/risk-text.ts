import { isDeepStrictEqual } from 'node:util';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { toReason } from '../presentation/describe-risk.ts';
import type { MarkedPiece } from '../presentation/mark-findings.ts';
import { markVisible } from '../presentation/mark-visible.ts';
import { RISK_NAMES, RISK_SIGNS } from '../presentation/names.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { Finding, Risk, RiskLevel } from '../protocol/risk.ts';
import { type Line, layOut, type Paint, type Style, toRoom, toTabless } from './line.ts';

/** The sign below the words that a finding is about. */
const UNDER = '‾';
const QUOTE_CHARS = 60;
const MOST_WORDS = 24;

const STYLES: Readonly<Record<RiskLevel, readonly Style[]>> = {
  routine: [],
  notable: ['yellow'],
  dangerous: ['red', 'bold'],
};

/** What a text or a place in a list is colored with. The sign and the word say the same without color. */
export function toRiskStyles(level: RiskLevel): readonly Style[] {
  return STYLES[level];
}

/** Every finding on a line of its own, the gravest first. Words that are not marked elsewhere are quoted. */
export function describeFindings(
  { findings }: Risk,
  input: JsonObject,
  paint: Paint,
  isMarked: (path: readonly string[]) => boolean,
): Line[] {
  return findings.map((finding) => {
    const { level, place } = finding;
    const quote = place === undefined || isMarked(place.path) ? '' : toQuote(input, place);
    return {
      gutter: `${paint(`${RISK_SIGNS[level]} ${RISK_NAMES[level]}`, ...STYLES[level])}  `,
      text: `${paint(toReason(finding), ...STYLES[level])}${quote === '' ? '' : `: ${quote}`}`,
    };
  });
}

/** What is to be marked in a text, and how wide the screen is. */
export interface Marking {
  path: readonly string[];
  findings: readonly Finding[];
  paint: Paint;
  columns: number;
  /** How the text looks where nothing is marked. */
  styles?: readonly Style[];
}

/**
 * The lines of a text that an agent sent, fitted to the screen, with each finding under the words that it is about.
 * `toGutter` gives what stands left of each line.
 */
export function describeMarked(text: string, toGutter: (index: number) => string, marking: Marking): Line[] {
  const { path, findings, paint, columns, styles = [] } = marking;
  const lines = splitLines(markVisible(text, path, findings, 'code'));
  return lines.flatMap((pieces, index): Line[] => {
    const gutter = toGutter(index);
    // Nothing to place: the screen breaks it as any other line.
    if (pieces.every(({ finding }) => finding === undefined)) {
      return [{ gutter, text: paint(pieces.map((piece) => piece.text).join(''), ...styles) }];
    }
    const indent = stringWidth(gutter);
    const room = toRoom(columns, indent);
    const rows = toRows(pieces, room);
    return rows.flatMap((row, at) => [
      {
        gutter: at === 0 ? gutter : ' '.repeat(indent),
        text: row.map((piece) => paint(piece.text, ...(piece.finding ? STYLES[piece.finding.level] : styles))).join(''),
      },
      ...toMarks(row, rows.slice(at + 1).flat(), room, marking).map((mark) => ({
        gutter: ' '.repeat(indent),
        text: mark,
      })),
    ]);
  });
}

/** A mark under each finding of a row, and its reason: beside the last mark, the others below theirs. */
function toMarks(
  row: readonly MarkedPiece[],
  later: readonly MarkedPiece[],
  room: number,
  { findings, paint }: Marking,
): string[] {
  const marks: { finding: Finding; column: number; width: number; words: string }[] = [];
  let column = 0;
  for (const { text, finding } of row) {
    const width = stringWidth(text);
    if (finding !== undefined && width > 0) marks.push({ finding, column, width, words: text.trim() });
    column += width;
  }
  if (marks.length === 0) return [];
  let end = 0;
  const under = marks.map(({ finding, column: from, width }) => {
    const text = ' '.repeat(from - end) + paint(UNDER.repeat(width), ...STYLES[finding.level]);
    end = from + width;
    return text;
  });
  // A finding that goes on in the next row is explained there.
  const told = marks.filter(({ finding }) => later.every((piece) => piece.finding !== finding));
  const last = told.at(-1);
  const isBeside = last !== undefined && last === marks.at(-1) && room - end - 1 >= stringWidth(toReason(last.finding));
  // Of several findings about the same words, one has the mark.
  const all = told.flatMap((mark) => {
    const same = findings.filter((other) => isSamePlace(other, mark.finding));
    return same.map((finding) => ({ ...mark, finding }));
  });
  const below = all.filter(({ finding }) => !isBeside || finding !== last.finding).toReversed();
  const beside = isBeside ? ` ${paint(toReason(last.finding), ...STYLES[last.finding.level])}` : '';
  return [
    `${under.join('')}${beside}`,
    ...below.flatMap(({ finding, column: from, words }) => {
      const reason = toReason(finding);
      const fits = from + stringWidth(reason) <= room;
      // What does not fit below its mark moves to the left, and names its words: others may stand there.
      const text = fits || stringWidth(words) > MOST_WORDS ? reason : `${words}: ${reason}`;
      const indent = Math.max(0, Math.min(from, room - stringWidth(text)));
      return layOut([{ gutter: ' '.repeat(indent), text: paint(text, ...STYLES[finding.level]) }], room);
    }),
  ];
}

function isSamePlace({ place: one }: Finding, { place: other }: Finding): boolean {
  return isDeepStrictEqual(one, other);
}

/** The pieces of a text, line by line. */
function splitLines(pieces: readonly MarkedPiece[]): MarkedPiece[][] {
  const lines: MarkedPiece[][] = [[]];
  for (const piece of pieces) {
    const [first = '', ...others] = piece.text.split('\n');
    lines.at(-1)?.push({ ...piece, text: first });
    for (const text of others) lines.push([{ ...piece, text }]);
  }
  return lines;
}

/** The pieces of a line in the rows that the screen breaks it into. */
function toRows(pieces: readonly MarkedPiece[], room: number): MarkedPiece[][] {
  // Breaking a line also normalizes its letters, which may take another number of units then.
  const shown = pieces.map((piece) => ({ ...piece, text: toTabless(piece.text).normalize() }));
  const whole = shown.map(({ text }) => text).join('');
  const rows = wrapAnsi(whole, room, { hard: true, trim: false }).split('\n');
  // A letter and its accent on two sides of a mark became one: the words are shown, and the findings are in the list.
  if (rows.join('') !== whole) return rows.map((text) => [{ text }]);
  const left = shown.values();
  let piece = left.next().value;
  return rows.map((row) => {
    const parts: MarkedPiece[] = [];
    for (let rest = row.length; rest > 0 && piece !== undefined; ) {
      const text = piece.text.slice(0, rest);
      if (text !== '') parts.push({ ...piece, text });
      rest -= text.length;
      piece = text.length < piece.text.length ? { ...piece, text: piece.text.slice(text.length) } : left.next().value;
    }
    return parts;
  });
}

function toQuote(input: JsonObject, { path, start, end }: NonNullable<Finding['place']>): string {
  let value: Json | undefined = input;
  for (const name of path) value = isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'string' ? toVisibleLine(value.slice(start, end), QUOTE_CHARS, 'code') : '';
}

function isContainer(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
