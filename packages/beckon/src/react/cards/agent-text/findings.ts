import { createContext, use } from 'react';
import { markFindings } from '../../../presentation/index.ts';
import { type Finding, isObject, type Json, own } from '../../../protocol/index.ts';

/** What was found in the request that is shown, and which finding the person points at. */
export interface ShownFindings {
  input: Json;
  findings: readonly Finding[];
  pointed: Finding | null;
}

/** Around a request whose texts are marked. Without it, nothing is. */
export const FindingsContext = createContext<ShownFindings>({ input: null, findings: [], pointed: null });

/** Words of a text, and what was found in them. `isPointed`: the finding that the person points at is about them. */
export interface FoundWords {
  finding: Finding;
  isPointed: boolean;
}

/** What is risky in a text, with the length of each part. */
export type FindingLayer = readonly (readonly [length: number, found: FoundWords | null])[];

/** What is risky in one text of the request; nothing without a path, or if nothing is. */
export function useFindingLayer(text: string, path: readonly string[] | undefined): FindingLayer | undefined {
  const { findings, pointed } = use(FindingsContext);
  return path === undefined ? undefined : toFindingLayer(text, path, findings, pointed);
}

/** What is risky in the text at `path`, as a layer for its segments. Nothing if nothing is. */
export function toFindingLayer(
  text: string,
  path: readonly string[],
  findings: readonly Finding[],
  pointed: Finding | null,
): FindingLayer | undefined {
  const pieces = markFindings(text, path, findings);
  if (pieces.every(({ finding }) => finding === undefined)) return undefined;
  // Another finding may have the same words, so the one that is pointed at is looked for by itself.
  const { start, end } = pointed?.place !== undefined && isSame(pointed.place.path, path) ? pointed.place : NOWHERE;
  const layer: [number, FoundWords | null][] = [];
  let at = 0;
  for (const { text: words, finding = null } of pieces) {
    const edges = [at, start, end, at + words.length].filter((edge) => edge >= at && edge <= at + words.length);
    for (const [index, from] of edges.entries()) {
      const length = (edges[index + 1] ?? from) - from;
      if (length > 0) layer.push([length, finding && { finding, isPointed: start <= from && from < end }]);
    }
    at += words.length;
  }
  return layer;
}

const NOWHERE = { start: -1, end: -1 };

/** The part of a layer from `start` to `end`. Nothing if nothing is risky there. */
export function cutLayer(layer: FindingLayer | undefined, start: number, end: number): FindingLayer | undefined {
  const part: [number, FoundWords | null][] = [];
  let at = 0;
  for (const [length, found] of layer ?? []) {
    const from = Math.max(start, at);
    at += length;
    const to = Math.min(end, at);
    if (to > from) part.push([to - from, found]);
  }
  return part.some(([, found]) => found !== null) ? part : undefined;
}

/** The words of the request that a finding is about. */
export function toFoundWords({ place }: Finding, input: Json): string | undefined {
  return place === undefined ? undefined : findText(input, place.path)?.slice(place.start, place.end);
}

/**
 * What is risky in the lines that a call writes, by line. A diff shows lines without saying where in the request they
 * are, so they are found by their text; those of a patch begin with a sign.
 */
export function toRiskyLines({ findings, input, pointed }: ShownFindings): ReadonlyMap<string, FindingLayer> {
  const lines = new Map<string, FindingLayer>();
  const paths = new Map(
    findings.flatMap(({ place }) => (place === undefined ? [] : [[place.path.join('\n'), place.path]])),
  );
  for (const path of paths.values()) {
    const text = findText(input, path);
    if (text === undefined) continue;
    const layer = toFindingLayer(text, path, findings, pointed);
    let start = 0;
    for (const line of text.split('\n')) {
      const end = start + line.length;
      const whole = cutLayer(layer, start, end);
      const signed = line.startsWith('+') ? cutLayer(layer, start + 1, end) : undefined;
      if (whole !== undefined) lines.set(line.replace(/\r$/, ''), whole);
      if (signed !== undefined) lines.set(line.slice(1).replace(/\r$/, ''), signed);
      start = end + 1;
    }
  }
  return lines;
}

function findText(input: Json, path: readonly string[]): string | undefined {
  let at: Json | undefined = input;
  for (const name of path) at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined;
  return typeof at === 'string' ? at : undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
