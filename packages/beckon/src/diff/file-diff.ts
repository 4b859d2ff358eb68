import { toVisibleLine } from '../presentation/visible.ts';
import type { ContextFile } from '../protocol/context.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { ApprovalRequest } from '../protocol/requests.ts';
import { applySteps, type Placeless } from './apply-steps.ts';
import { type Budget, startBudget } from './budget.ts';
import { compareTexts, toDiffLines } from './compare.ts';
import type { DiffLine } from './diff-line.ts';
import type { FileChange, Step } from './file-change.ts';
import { type FileText, toFileText } from './file-text.ts';
import { type Hunk, toHunks } from './hunks.ts';
import { toCellHunks } from './notebook.ts';
import { readChanges } from './read-changes.ts';
import { texts } from './texts.ts';

/** What becomes of a file. `unknown before`: nobody said whether there is one, or what it holds. */
export type FileState = 'new' | 'overwritten' | 'edited' | 'deleted' | 'unknown before';

/**
 * What a call changes in one file. All of it is computed from the call and the agent's claim of what the file holds.
 */
export interface FileDiff {
  path: string;
  movedTo?: string;
  state: FileState;
  hunks: Hunk[];
  added: number;
  removed: number;
  /** Only spaces, tabs, blank lines or line ends change. */
  isOnlySpace: boolean;
  /** What the reader has to know: what was not found, what is not known. Ready to be shown. */
  notes: string[];
}

/** The time for all files of a call. After it, the rest is shown without being compared. */
const BUDGET_MS = 800;

/**
 * What a tool call changes in files: Edit, MultiEdit, Write, NotebookEdit and apply_patch. Empty for other tools, and
 * for inputs that do not fit the tool. `files` are those of the request's context.
 */
export function toFileDiffs(
  request: Pick<ApprovalRequest, 'tool' | 'input'>,
  files: readonly ContextFile[] = [],
): FileDiff[] {
  const budget = startBudget(BUDGET_MS);
  return readChanges(request)?.files.map((change) => toFileDiff(change, findFile(files, change.path), budget)) ?? [];
}

/** The fields of the input that the diffs do not show; the whole input if there are no diffs. */
export function toOtherFields(request: Pick<ApprovalRequest, 'tool' | 'input'>): JsonObject {
  return readChanges(request)?.rest ?? request.input;
}

/** The difference of two texts that are known completely. */
export function compare(
  before: string,
  after: string,
): { hunks: Hunk[]; notes: string[]; added: number; removed: number } {
  const { lines, isExact } = compareTexts(before, after, startBudget(BUDGET_MS));
  const hunks = toHunks(lines, true);
  return { hunks, notes: isExact ? [] : [texts.inexact], ...count(hunks) };
}

/** The file of a path. A patch may name it relative to a folder that the context names. */
function findFile(files: readonly ContextFile[], path: string): ContextFile | undefined {
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined || path.startsWith('/')) return exact;
  const ending = files.filter((file) => file.path.endsWith(`/${path.replace(/^\.\//, '')}`));
  return ending.length === 1 ? ending[0] : undefined;
}

interface Body {
  hunks: Hunk[];
  notes: string[];
}

function toFileDiff(change: FileChange, file: ContextFile | undefined, budget: Budget): FileDiff {
  const { path, movedTo, steps } = change;
  const text = file === undefined ? undefined : toFileText(file);
  const { hunks, notes } = toBody(steps, file, text, budget);
  return {
    path,
    ...(movedTo !== undefined && { movedTo }),
    state: toState(steps, file),
    hunks,
    ...count(hunks),
    isOnlySpace: hasOnlySpace(hunks),
    notes: [...new Set([...toTarget(file), ...notes, ...(text?.isMasked === true ? [texts.masked] : [])])],
  };
}

/** A link can make a harmless path change another file. */
function toTarget(file: ContextFile | undefined): string[] {
  return file?.target === undefined ? [] : [texts.leadsTo(toVisibleLine(file.target, 300, 'code'))];
}

function toState(steps: readonly Step[], file: ContextFile | undefined): FileState {
  const [first] = steps;
  if (first?.type === 'delete') return 'deleted';
  if (file === undefined) return first?.type === 'create' ? 'new' : 'unknown before';
  const isWhole = first?.type === 'write' || first?.type === 'create';
  if (!isWhole) return 'edited';
  return file.sha256 === null ? 'new' : 'overwritten';
}

function toBody(
  steps: readonly Step[],
  file: ContextFile | undefined,
  text: FileText | undefined,
  budget: Budget,
): Body {
  const [first] = steps;
  switch (first?.type) {
    case 'write':
    case 'create': {
      // Further edits of the same call change what this one writes.
      const written = { line: 1, before: first.content, after: first.content };
      const { unplaced, notes } = applySteps(
        { pieces: [written], isWhole: true, isMasked: false },
        steps.slice(1).filter(isPlaceless),
      );
      const body = toWritten({ ...first, content: written.after }, file, text, budget);
      return { hunks: [...body.hunks, ...toUnplaced(unplaced, budget)], notes: [...body.notes, ...notes] };
    }
    case 'delete':
      return toDeleted(file, text, budget);
    case 'cell':
      return toCellHunks(first, file, text, budget);
    case 'replace':
    case 'chunk':
    case undefined:
      return toEdited(steps.filter(isPlaceless), file, text, budget);
  }
}

function toWritten(
  { type, content }: Extract<Step, { type: 'write' | 'create' }>,
  file: ContextFile | undefined,
  text: FileText | undefined,
  budget: Budget,
): Body {
  const isThere = file !== undefined && file.sha256 !== null && file.lines !== 0;
  const exists = type === 'create' && isThere ? [texts.exists] : [];
  // Without the content before, all of the new one is shown as added.
  const before = file?.sha256 !== null && text?.isWhole === true ? (text.pieces[0]?.before ?? '') : '';
  const { lines, isExact } = compareTexts(before, content, budget);
  const unseen = type === 'create' && file === undefined ? [] : toUnseen(file, text);
  return { hunks: toHunks(lines, true), notes: [...exists, ...unseen, ...(isExact ? [] : [texts.inexact])] };
}

function toDeleted(file: ContextFile | undefined, text: FileText | undefined, budget: Budget): Body {
  if (file?.sha256 === null) return { hunks: [], notes: [texts.missing] };
  if (file === undefined || text?.isWhole !== true) return { hunks: [], notes: toUnseen(file, text) };
  return { hunks: toHunks(compareTexts(text.pieces[0]?.before ?? '', '', budget).lines, true), notes: [] };
}

function toEdited(
  steps: readonly Placeless[],
  file: ContextFile | undefined,
  text: FileText | undefined,
  budget: Budget,
): Body {
  const everywhere = steps.some((step) => step.type === 'replace' && step.everywhere) ? [texts.everywhereUnknown] : [];
  if (file === undefined || text === undefined) return { hunks: toUnplaced(steps, budget), notes: everywhere };
  if (file.sha256 === null) return { hunks: toUnplaced(steps, budget), notes: [texts.missing] };
  if (text.pieces.length === 0 && !text.isWhole) {
    return { hunks: toUnplaced(steps, budget), notes: [...toUnseen(file, text), ...everywhere] };
  }
  const { unplaced, notes } = applySteps(text, steps);
  const hunks: Hunk[] = [];
  let isExact = true;
  let shift = 0;
  for (const { line, before, after } of text.pieces) {
    const compared = compareTexts(before, after, budget, { before: line, after: line + shift });
    isExact &&= compared.isExact;
    hunks.push(...toHunks(compared.lines, true));
    const changed = count([{ lines: compared.lines }]);
    shift += changed.added - changed.removed;
  }
  return { hunks: [...hunks, ...toUnplaced(unplaced, budget)], notes: isExact ? notes : [...notes, texts.inexact] };
}

/** Changes without a place: the numbers of their lines count from their own beginning, or are those of the patch. */
function toUnplaced(steps: readonly Placeless[], budget: Budget): Hunk[] {
  return steps.flatMap((step) => {
    if (step.type === 'replace') {
      const { lines } = compareTexts(step.before, step.after, budget);
      return toHunks(withoutLooseEnds(lines), false);
    }
    const first = step.line === undefined ? undefined : { before: step.line, after: step.line };
    const blocks = step.lines.map(({ kind, text }) => ({ kind, lines: [{ text }] }));
    return toHunks(toDiffLines(joinBlocks(blocks), budget, first), false);
  });
}

/** A fragment that ends in the middle of a line says nothing about the end of its file, unless only one side does. */
function withoutLooseEnds(lines: readonly DiffLine[]): DiffLine[] {
  const before = lines.findLast(({ kind }) => kind !== 'added');
  const after = lines.findLast(({ kind }) => kind !== 'removed');
  if (before?.end !== 'none' || after?.end !== 'none') return [...lines];
  return lines.map(({ end, ...line }) => (end === undefined || end === 'none' ? line : { ...line, end }));
}

type Blocks = Parameters<typeof toDiffLines>[0];

function joinBlocks(blocks: Blocks): Blocks {
  const joined: { kind: DiffLine['kind']; lines: Blocks[number]['lines'][number][] }[] = [];
  for (const { kind, lines } of blocks) {
    const last = joined.at(-1);
    if (last?.kind === kind) last.lines.push(...lines);
    else joined.push({ kind, lines: [...lines] });
  }
  return joined;
}

function toUnseen(file: ContextFile | undefined, text: FileText | undefined): string[] {
  if (file?.sha256 === null || text?.isWhole === true) return [];
  if (file?.why !== undefined) return [texts.unseen(toVisibleLine(file.why, 100))];
  return [text === undefined || text.pieces.length === 0 ? texts.unknownBefore : texts.unseenInPart];
}

function isPlaceless(step: Step): step is Placeless {
  return step.type === 'replace' || step.type === 'chunk';
}

function count(hunks: readonly Pick<Hunk, 'lines'>[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}

function hasOnlySpace(hunks: readonly Hunk[]): boolean {
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'same'));
  const toInk = (side: DiffLine['kind']): string =>
    changed.map(({ kind, text }) => (kind === side ? text.replaceAll(/\s/g, '') : '')).join('');
  return changed.length > 0 && toInk('added') === toInk('removed');
}
