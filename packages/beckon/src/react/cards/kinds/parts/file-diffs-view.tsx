import { type ReactNode, use, useId, useMemo, useState } from 'react';
import { type FileDiff, type FileState, type Hunk, toFileDiffs, toOtherFields } from '../../../../diff/index.ts';
import { toVisibleLine } from '../../../../presentation/index.ts';
import type { ContextFile, JsonObject } from '../../../../protocol/index.ts';
import { FindingsContext, toFoundWords } from '../../agent-text/findings.ts';
import { HiddenWarning } from '../../agent-text/hidden-warning.tsx';
import { RiskMark } from '../../agent-text/risk-mark.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { findLanguage } from '../../highlight/find-language.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { DiffBlock } from './diff-block.tsx';
import { toBlocks } from './diff-rows.ts';
import { JsonView } from './json-view.tsx';
import { ShowMore } from './show-more.tsx';
import { texts } from './texts.ts';

/** Further files are folded: each has its size in its head. */
const OPEN_FILES = 10;
const FIRST_BLOCKS = 50;
const MORE_BLOCKS = 200;

/** What a call changes in files: a list to jump from, then a diff for each. */
export function FileDiffsView({
  tool,
  input,
  files,
  toShown,
  fallback,
}: {
  tool: string;
  input: JsonObject;
  files: readonly ContextFile[];
  /** A path as the people of the project write it. */
  toShown: (path: string) => string;
  /** What is shown if the input does not fit the tool. */
  fallback: ReactNode;
}) {
  const diffs = useMemo(() => toFileDiffs({ tool, input }, files), [tool, input, files]);
  const rest = useMemo(() => toOtherFields({ tool, input }), [tool, input]);
  const hidden = useMemo(() => diffs.map(toHiddenSource).join('\n'), [diffs]);
  const id = useId();
  const [opened, setOpened] = useState<ReadonlyMap<number, boolean>>(new Map());
  const open = (index: number, isOpen: boolean): void => setOpened(new Map(opened).set(index, isOpen));
  const jump = (index: number): void => {
    open(index, true);
    const head = document.getElementById(`${id}-${index}`);
    head?.focus({ preventScroll: true });
    head?.closest('section')?.scrollIntoView({ block: 'start' });
  };
  if (diffs.length === 0) return fallback;
  return (
    <div className="space-y-3">
      <HiddenWarning text={hidden} place="code" />
      {diffs.length > 1 && <JumpList diffs={diffs} toShown={toShown} onJump={jump} />}
      {diffs.map((diff, index) => (
        <FileSection
          key={index}
          headId={`${id}-${index}`}
          diff={diff}
          toShown={toShown}
          isOpen={opened.get(index) ?? index < OPEN_FILES}
          {...(diffs.length > 1 && { onToggle: (isOpen: boolean) => open(index, isOpen) })}
        />
      ))}
      {Object.keys(rest).length > 0 && (
        <section aria-label={texts.diff.rest}>
          <JsonView value={rest} path={[]} />
        </section>
      )}
    </div>
  );
}

function JumpList({
  diffs,
  toShown,
  onJump,
}: {
  diffs: readonly FileDiff[];
  toShown: (path: string) => string;
  onJump: (index: number) => void;
}) {
  return (
    <nav aria-label={texts.diff.files} className="rounded-md border border-line">
      <p className="border-b border-line bg-canvas px-3 py-1.5 text-xs font-medium">
        {texts.diff.fileCount(diffs.length)}
      </p>
      <ul className="max-h-48 overflow-y-auto py-1">
        {diffs.map((diff, index) => (
          <li key={index}>
            <button
              type="button"
              onClick={() => onJump(index)}
              className="tap flex w-full items-baseline gap-2 px-3 py-0.5 text-left font-mono text-xs hover:bg-hover"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere] text-accent-text">
                {toVisibleLine(toShown(diff.path), 200, 'code')}
              </span>
              <StateBadge state={diff.state} />
              <Counts diff={diff} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FileSection({
  headId,
  diff,
  toShown,
  isOpen,
  onToggle,
}: {
  headId: string;
  diff: FileDiff;
  toShown: (path: string) => string;
  isOpen: boolean;
  onToggle?: (isOpen: boolean) => void;
}) {
  const { path, movedTo, state, hunks, notes, isOnlySpace } = diff;
  const blocks = useMemo(() => toBlocks(hunks), [hunks]);
  const [count, setCount] = useState(FIRST_BLOCKS);
  const unplaced = blocks.filter(({ isPlaced }) => !isPlaced);
  return (
    <section
      aria-label={texts.diff.label(toVisibleLine(path, 80, 'code'))}
      className="min-w-0 scroll-mt-2 overflow-clip rounded-md border border-line"
    >
      <div className="sticky top-0 z-1 flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-canvas px-3 py-1.5">
        <h3
          id={headId}
          tabIndex={-1}
          dir="ltr"
          className="min-w-0 flex-1 basis-48 font-mono text-sm font-medium [overflow-wrap:anywhere] outline-none"
        >
          <FilePath path={path} shown={toShown(path)} />
          {movedTo !== undefined && (
            <>
              <span className="text-muted">{' → '}</span>
              <FilePath path={movedTo} shown={toShown(movedTo)} />
            </>
          )}
        </h3>
        <StateBadge state={state} />
        {isOnlySpace && <Badge tone="accent">{texts.diff.onlySpace}</Badge>}
        <Counts diff={diff} />
        {onToggle && (
          <Button look="quiet" size="small" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
            {isOpen ? texts.diff.fold : texts.diff.unfold}
          </Button>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} className="flex gap-2 border-b border-line px-3 py-1.5 text-xs">
          <Icon name="warning" className="mt-0.5 text-warning" />
          {note}
        </p>
      ))}
      {hunks.length === 0 && state !== 'deleted' && (
        <p className="px-3 py-2 text-sm text-muted">
          {state === 'new' ? texts.diff.emptyFile : movedTo === undefined ? texts.diff.identical : texts.diff.onlyMoved}
        </p>
      )}
      {isOpen &&
        blocks.slice(0, count).map((block, index) => (
          <div key={index} className="not-last:border-b not-last:border-line">
            <BlockTitle
              title={block.title}
              place={unplaced.indexOf(block) + 1}
              of={unplaced.length}
              isPlaced={block.isPlaced}
            />
            <DiffBlock block={block} language={toLanguage(movedTo ?? path, block)} />
          </div>
        ))}
      {isOpen && blocks.length > count && (
        <div className="border-t border-line p-2">
          <ShowMore rest={blocks.length - count} onMore={() => setCount(count + MORE_BLOCKS)} />
        </div>
      )}
    </section>
  );
}

function BlockTitle({
  title,
  place,
  of,
  isPlaced,
}: {
  title: string | undefined;
  place: number;
  of: number;
  isPlaced: boolean;
}) {
  if (isPlaced && title === undefined) return null;
  const words = title ?? (of > 1 ? `${texts.diff.change(place, of)} · ${texts.diff.relative}` : texts.diff.relative);
  return <p className="px-3 pt-1.5 text-xs text-muted">{words}</p>;
}

/** The folder in gray, the file name in full color; marked if a finding is about it. */
function FilePath({ path, shown: whole }: { path: string; shown: string }) {
  const { findings, input, pointed } = use(FindingsContext);
  const about = findings.filter((one) => toFoundWords(one, input) === path);
  const [finding] = about;
  const shown = <ShownPath path={whole} />;
  if (finding === undefined) return shown;
  return <RiskMark found={{ finding, isPointed: about.some((one) => one === pointed) }}>{shown}</RiskMark>;
}

function ShownPath({ path }: { path: string }) {
  const nameAt = path.lastIndexOf('/') + 1;
  return (
    <>
      <span className="font-normal text-muted">
        <VisibleText text={path.slice(0, nameAt)} place="code" />
      </span>
      <VisibleText text={path.slice(nameAt)} place="code" />
    </>
  );
}

const STATES: Record<Exclude<FileState, 'edited'>, Tone> = {
  new: 'success',
  overwritten: 'warning',
  deleted: 'danger',
  'unknown before': 'neutral',
};

function StateBadge({ state }: { state: FileState }) {
  if (state === 'edited') return null;
  return <Badge tone={STATES[state]}>{texts.diff.states[state]}</Badge>;
}

function Counts({ diff: { added, removed } }: { diff: FileDiff }) {
  return (
    <span className="shrink-0 text-xs tabular-nums">
      <span className="sr-only">{texts.diff.counts(added, removed)}</span>
      <span aria-hidden="true" className={classNames('text-success', added === 0 && 'hidden')}>{`+${added}`}</span>
      {added > 0 && removed > 0 && ' '}
      <span aria-hidden="true" className={classNames('text-danger', removed === 0 && 'hidden')}>{`−${removed}`}</span>
    </span>
  );
}

/** A cell of a notebook is code, the notebook itself is JSON. */
function toLanguage(path: string, { title }: Pick<Hunk, 'title'>): string | null {
  return title === undefined ? findLanguage(path) : 'python';
}

/** What the agent wrote, in which hidden characters are counted. */
function toHiddenSource({ path, movedTo = '', hunks }: FileDiff): string {
  const added = hunks.flatMap(({ lines }) => lines.flatMap(({ kind, text }) => (kind === 'added' ? [text] : [])));
  return [path, movedTo, ...added].join('\n');
}
