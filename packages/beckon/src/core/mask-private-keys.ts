import { MASK } from './mask.ts';

/** The line before and after a private key. The rest of the pattern is what keys contain. */
const BEGIN = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const END = '-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
/** Between the lines of a key: breaks, also written as `\n`, and the signs of a quoted text. */
const GAP = String.raw`(?:\s|\\{1,4}[nr"'\`]|["'\`,]|\+(?=[\s\\]))*`;
const LINES = String.raw`(?:${GAP}(?:[A-Za-z0-9+/=]{20,}|(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\n\\]{0,100}))*`;
/** Everything in it is optional, so it never has to try again: that keeps it linear. */
const KEY = new RegExp(`(${BEGIN})(${LINES}(?:${GAP}[A-Za-z0-9+/=]{1,80}${GAP}(?=${END}))?)`, 'g');
const LAST_LINE = new RegExp(END, 'g');

/** A line of a key has at least so many characters, except the last. */
const LEAST_CHARS = 16;

/** Masks private keys in PEM form, also those that are cut off at one end. */
export function maskPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const masked = text.replaceAll(KEY, (match, begin: string, body: string) =>
    body === '' ? match : `${begin}${MASK}`,
  );
  let out = '';
  let done = 0;
  for (const { index, 0: end } of masked.matchAll(LAST_LINE)) {
    const start = findBody(masked, done, index);
    out += start < index ? `${masked.slice(done, start)}${MASK}${end}` : `${masked.slice(done, index)}${end}`;
    done = index + end.length;
  }
  return out + masked.slice(done);
}

/** Where the lines of a key begin that end here, if its beginning is missing. */
function findBody(text: string, from: number, end: number): number {
  const words = [...text.slice(from, end).matchAll(/[^\s"'`,\\]+/g)];
  let start = end;
  let isKey = false;
  for (const { index, 0: word } of words.toReversed()) {
    const isLine = word.length >= LEAST_CHARS;
    if (!/^[A-Za-z0-9+/=]+$/.test(word) || (!isLine && start !== end)) break;
    start = from + index;
    isKey ||= isLine;
  }
  return isKey ? start : end;
}
