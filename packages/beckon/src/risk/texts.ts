import { findHidden } from '../presentation/hidden-characters.ts';
import { findLookAlikes } from '../presentation/look-alikes.ts';
import type { Report } from './codes.ts';

const PLAIN = /^[\n\t\r -~]*$/;
const MOST_CHARS = 262_144;
/** So much is looked at in one go: a text full of such characters says so in its first piece. */
const PIECE_CHARS = 8192;
/** Keys as their makers write them, and private keys. */
const SECRET =
  /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{40,}|\bglpat-[\w-]{20}|\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,}|\bxox[abpr]-[\w-]{20,}|\b[sr]k_live_[A-Za-z0-9]{20,}|\bAIza[\w-]{35}|\bnpm_[A-Za-z0-9]{36}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----|\b[a-z][a-z0-9+]{1,20}:\/\/[^\s:/@'"]{1,100}:[^\s:/@'"$]{6,100}@/;

/** Characters in a text that runs, or that says where, which are not what people see. */
export function checkCharacters(text: string, report: Report): void {
  // What scripts and emoji need in prose is no disguise in a message either.
  const hidden = findFirst(text, (piece) => findHidden(piece, 'prose').find(({ character }) => character !== '\r'));
  if (hidden !== undefined) report('hidden-characters', hidden);
  const alike = findFirst(
    text,
    (piece) =>
      findLookAlikes(piece, 'code')[0] ?? findHidden(piece, 'code').find(({ character }) => /\p{Zs}/u.test(character)),
  );
  if (alike !== undefined) report('look-alike-characters', alike);
}

/** The same in what is written to a file: it is read by people and programs later. */
export function checkContent(text: string, report: Report): void {
  checkSecret(text, report);
  const found = findFirst(
    text,
    (piece) =>
      findHidden(piece, 'prose').find(({ character }) => character !== '\r' && character !== '\ufeff') ??
      findLookAlikes(piece, 'prose')[0],
  );
  if (found !== undefined) report('hidden-in-content', found);
}

interface Character {
  at: number;
  character: string;
}

/** The place of the first character that is found, piece by piece. A piece ends where a word does, if it can. */
function findFirst(text: string, find: (piece: string) => Character | undefined) {
  const source = text.slice(0, MOST_CHARS);
  if (PLAIN.test(source)) return undefined;
  for (let start = 0; start < source.length; ) {
    const whole = source.slice(start, start + PIECE_CHARS);
    const cut = start + PIECE_CHARS < source.length ? Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf(' ')) + 1 : 0;
    const piece = cut > 0 ? whole.slice(0, cut) : /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
    const found = PLAIN.test(piece) ? undefined : find(piece);
    if (found !== undefined) return { start: start + found.at, end: start + found.at + found.character.length };
    start += Math.max(piece.length, 1);
  }
  return undefined;
}

/** Keys and passwords that are written out. */
export function checkSecret(text: string, report: Report): void {
  const found = SECRET.exec(text.slice(0, MOST_CHARS));
  if (found !== null) report('secret-in-text', { start: found.index, end: found.index + found[0].length });
}
