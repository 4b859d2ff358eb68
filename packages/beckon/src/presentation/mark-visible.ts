import type { Finding } from '../protocol/risk.ts';
import { type MarkedPiece, markFindings } from './mark-findings.ts';
import { type Place, spell, splitHidden } from './visible.ts';

/** A part of the text as it is shown, before hidden characters are spelled out. */
interface Stretch {
  end: number;
  finding: Finding | undefined;
}

/**
 * The same as `markFindings`, for a text as people see it: hidden characters and look-alikes are spelled out. They are
 * looked for in the whole text, because a letter poses as another only beside its neighbors. Joined, the pieces are
 * what `toVisible` gives.
 */
export function markVisible(
  text: string,
  path: readonly string[],
  findings: readonly Finding[],
  place: Place,
): MarkedPiece[] {
  const stretches = toStretches(text, markFindings(text, path, findings));
  const pieces: MarkedPiece[] = [];
  const add = (shown: string, finding: Finding | undefined): void => {
    const last = pieces.at(-1);
    if (last !== undefined && last.finding === finding) last.text += shown;
    else pieces.push({ text: shown, ...(finding !== undefined && { finding }) });
  };
  let at = 0;
  for (const piece of splitHidden(text, place)) {
    const end = at + (typeof piece === 'string' ? piece.length : piece.character.length * piece.count);
    const covering = stretches.filter((stretch, index) => stretch.end > at && (stretches[index - 1]?.end ?? 0) < end);
    // What is spelled out cannot be cut.
    if (typeof piece !== 'string') add(spell(piece), covering.find(({ finding }) => finding !== undefined)?.finding);
    else {
      let from = at;
      for (const stretch of covering) {
        const to = Math.min(stretch.end, end);
        add(piece.slice(from - at, to - at), stretch.finding);
        from = to;
      }
    }
    at = end;
  }
  return pieces;
}

// `splitHidden` takes a line end of Windows for one character, and half a character cannot be shown.
function toStretches(text: string, pieces: readonly MarkedPiece[]): Stretch[] {
  let raw = 0;
  let shown = 0;
  return pieces.map(({ text: part, finding }) => {
    raw += part.length;
    shown += part.replaceAll('\r\n', '\n').length;
    const isCut = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(raw - 1, raw + 1));
    return { end: isCut ? shown + 1 : shown, finding };
  });
}
