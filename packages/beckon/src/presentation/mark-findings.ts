import type { Finding } from '../protocol/risk.ts';

/** A piece of a text, and the finding that it is part of, if any. */
export interface MarkedPiece {
  text: string;
  finding?: Finding;
}

/**
 * Cuts a text of a tool's input into pieces, so that what the findings are about can be marked. Joined, it is whole.
 * Where several overlap, the words belong to the first of them: findings have the gravest first.
 */
export function markFindings(text: string, path: readonly string[], findings: readonly Finding[]): MarkedPiece[] {
  const inText = findings.flatMap((finding) =>
    finding.place !== undefined && isSamePath(finding.place.path, path) ? [{ finding, ...finding.place }] : [],
  );
  const cuts = new Set([0, text.length, ...inText.flatMap(({ start, end }) => [start, end])]);
  const edges = [...cuts].filter((at) => at >= 0 && at <= text.length).sort((one, other) => one - other);
  const pieces: MarkedPiece[] = [];
  for (const [index, at] of edges.slice(0, -1).entries()) {
    const finding = inText.find(({ start, end }) => start <= at && at < end)?.finding;
    const part = text.slice(at, edges[index + 1]);
    const last = pieces.at(-1);
    if (last !== undefined && last.finding === finding) last.text += part;
    else pieces.push({ text: part, ...(finding !== undefined && { finding }) });
  }
  return pieces;
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
