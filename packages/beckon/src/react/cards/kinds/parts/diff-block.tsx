import { memo, use, useMemo, useState } from 'react';
import type { DiffLine } from '../../../../diff/index.ts';
import { CodeText } from '../../agent-text/code-text.tsx';
import { type FindingLayer, FindingsContext, toRiskyLines } from '../../agent-text/findings.ts';
import { PlainText } from '../../agent-text/plain-text.tsx';
import type { Token, TokenLines } from '../../highlight/token.ts';
import { useTokens } from '../../highlight/use-tokens.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { type Block, type Row, toRows } from './diff-rows.ts';
import { texts } from './texts.ts';

const AROUND = { wide: 10, narrow: 3 };
const STEP = 20;
const FIRST_ROWS = 400;
const MORE_ROWS = 2_000;
/** A longer line is shown in pieces. */
const LINE_CHARS = 4_000;

/** The lines of one block, with more of the file on demand. */
export function DiffBlock({
  block,
  language,
  hasNumbers = true,
}: {
  block: Block;
  language: string | null;
  hasNumbers?: boolean;
}) {
  const isNarrow = useIsNarrow();
  const [wanted, setWanted] = useState<ReadonlySet<number>>(new Set());
  const [count, setCount] = useState(FIRST_ROWS);
  const tokens = useLineTokens(block.lines, language);
  const around = isNarrow ? AROUND.narrow : AROUND.wide;
  const rows = useMemo(() => toRows(block, around, wanted), [block, around, wanted]);
  const found = use(FindingsContext);
  const risky = useMemo(() => toRiskyLines(found), [found]);
  const rest = rows.length - count;
  const most = block.lines.reduce((max, { before = 0, after = 0 }) => Math.max(max, before, after), 0);
  const digits = String(most).length;
  const width = !hasNumbers ? 'hidden' : digits > 4 ? 'w-[6ch]' : digits > 2 ? 'w-[4ch]' : 'w-[2ch]';
  const hasLooseEnd = findEnd(block.lines, 'added') !== findEnd(block.lines, 'removed');
  const hasEnds = new Set(block.lines.flatMap(({ kind, end }) => (kind === 'same' ? [] : [end === 'crlf']))).size > 1;
  return (
    <>
      <div dir="ltr" className="overflow-x-clip font-mono text-xs leading-5 [tab-size:4]">
        {rows
          .slice(0, count)
          .map((row) =>
            row.type === 'line' ? (
              <LineRow
                key={`l${row.at}`}
                line={row.line}
                tokens={tokens[row.at]}
                findings={row.line.kind === 'added' ? risky.get(row.line.text) : undefined}
                width={width}
                hasEnds={hasEnds}
                hasLooseEnd={hasLooseEnd}
              />
            ) : (
              <Between
                key={row.type === 'gap' ? `g${row.from}` : `m${row.count}`}
                row={row}
                onShow={(from, to) => setWanted(new Set([...wanted, ...range(from, to)]))}
              />
            ),
          )}
      </div>
      {rest > 0 && (
        <div className="border-t border-line p-2">
          <Button size="small" onClick={() => setCount(count + MORE_ROWS)}>
            {texts.showMore(rest)}
          </Button>
        </div>
      )}
    </>
  );
}

/** The tokens of each line: both sides are colored once, as whole texts. */
function useLineTokens(lines: readonly DiffLine[], language: string | null): readonly (readonly Token[] | undefined)[] {
  const sides = useMemo(
    () =>
      (['added', 'removed'] as const).map((other) =>
        lines.flatMap(({ kind, text }) => (kind === other ? [] : [text])).join('\n'),
      ),
    [lines],
  );
  const [before, after] = useTokens(sides, language);
  return useMemo(() => toLineTokens(lines, before, after), [lines, before, after]);
}

function toLineTokens(
  lines: readonly DiffLine[],
  before: TokenLines | undefined,
  after: TokenLines | undefined,
): (readonly Token[] | undefined)[] {
  let [old, fresh] = [0, 0];
  return lines.map(({ kind }) => {
    const tokens = kind === 'removed' ? before?.[old] : after?.[fresh];
    if (kind !== 'added') old += 1;
    if (kind !== 'removed') fresh += 1;
    return tokens;
  });
}

const LOOKS = { same: '', added: 'bg-added', removed: 'bg-removed' };
const SIGNS = { same: ' ', added: '+', removed: '−' };

const LineRow = memo(function LineRow({
  line,
  tokens,
  findings,
  width,
  hasEnds,
  hasLooseEnd,
}: {
  line: DiffLine;
  tokens: readonly Token[] | undefined;
  findings: FindingLayer | undefined;
  width: string;
  /** Some line ends change, so each is shown. */
  hasEnds: boolean;
  /** The end of the text changes: only one side ends with a line end. */
  hasLooseEnd: boolean;
}) {
  const { kind, before, after, text, words, end } = line;
  const number = classNames('shrink-0 text-right text-muted tabular-nums select-none', width);
  const isChanged = kind !== 'same';
  return (
    <div className={classNames('flex min-h-5 gap-2 px-2 sm:px-3', LOOKS[kind])}>
      <span aria-hidden="true" className={classNames(number, 'max-sm:hidden')}>
        {before}
      </span>
      <span aria-hidden="true" className={classNames(number, 'max-sm:hidden')}>
        {after}
      </span>
      <span aria-hidden="true" className={classNames(number, 'sm:hidden')}>
        {after ?? before}
      </span>
      <span className="w-2 shrink-0 select-none">
        <span aria-hidden="true">{SIGNS[kind]}</span>
        {isChanged && <span className="sr-only">{texts.diff[kind](after ?? before ?? 0)}</span>}
      </span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {text.length > LINE_CHARS ? (
          <PlainText text={text} />
        ) : (
          <CodeText
            text={text}
            tokens={tokens}
            words={words}
            findings={findings}
            spaces={isChanged ? 'telling' : 'none'}
            side={isChanged ? kind : undefined}
          />
        )}
        {isChanged && hasEnds && end !== 'none' && <End>{end === 'crlf' ? 'CRLF' : 'LF'}</End>}
        {end === 'none' && hasLooseEnd && <End>{texts.diff.noEnd}</End>}
      </span>
    </div>
  );
});

function End({ children }: { children: string }) {
  return <span className="ml-1 rounded border border-line px-1 text-[0.8em] text-ink select-none">{children}</span>;
}

function Between({ row, onShow }: { row: Exclude<Row, { type: 'line' }>; onShow: (from: number, to: number) => void }) {
  const frame = 'flex flex-wrap items-center gap-x-1 bg-canvas px-3 text-muted select-none font-sans';
  if (row.type === 'missing') return <div className={classNames(frame, 'py-0.5')}>{texts.diff.missing(row.count)}</div>;
  const { from, to, isFirst, isLast } = row;
  const size = to - from;
  const isSmall = size <= STEP;
  return (
    <div className={frame}>
      <span className="mr-2 py-0.5">{`⋯ ${texts.diff.same(size)}`}</span>
      {!isSmall && !isFirst && (
        <Button look="quiet" size="small" onClick={() => onShow(from, from + STEP)}>
          <span aria-hidden="true">↓</span>
          {texts.diff.moreBelow(STEP)}
        </Button>
      )}
      {!isSmall && !isLast && (
        <Button look="quiet" size="small" onClick={() => onShow(to - STEP, to)}>
          <span aria-hidden="true">↑</span>
          {texts.diff.moreAbove(STEP)}
        </Button>
      )}
      <Button look="quiet" size="small" onClick={() => onShow(from, to)}>
        {texts.diff.all(size)}
      </Button>
    </div>
  );
}

/** How a side of the diff ends. */
function findEnd(lines: readonly DiffLine[], other: DiffLine['kind']): string {
  const last = lines.findLast(({ kind }) => kind !== other);
  return last?.end === 'none' ? 'none' : 'line';
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
