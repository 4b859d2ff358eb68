import { toVisibleLine } from 'beckon/presentation';
import { useMemo, useState } from 'react';
import { PlainText } from '../../agent-text/plain-text.tsx';
import { VisibleText } from '../../agent-text/visible-text.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { createDiff, type DiffLine, type LinePart } from './diff-lines.ts';
import { texts } from './texts.ts';

const FIRST_LINES = 400;
const MORE_LINES = 2_000;
/** A longer line is shown in pieces. */
const LINE_CHARS = 4_000;

/** A unified diff of two texts. `hasNumbers` is for whole files, because a fragment does not know its line numbers. */
export function DiffView({
  before,
  after,
  path,
  note,
  hasNumbers,
}: {
  before: string;
  after: string;
  path: string;
  note?: string | undefined;
  hasNumbers: boolean;
}) {
  const diff = useMemo(() => createDiff(before, after), [before, after]);
  const [count, setCount] = useState(FIRST_LINES);
  if (before === after) return <p className="px-3 py-2 text-sm text-muted">{texts.diff.identical}</p>;
  const rest = diff.lines.length - count;
  return (
    <figure aria-label={texts.diff.label(toVisibleLine(path, 80, 'code'))} className="min-w-0">
      <figcaption className="flex flex-wrap gap-x-3 border-b border-line bg-canvas px-3 py-1 text-xs text-muted tabular-nums">
        {note && <span className="font-medium">{note}</span>}
        <span>{texts.diff.counts(diff.added, diff.removed)}</span>
        {!diff.exact && <span>{texts.diff.inexact}</span>}
      </figcaption>
      <div dir="ltr" className="overflow-x-clip py-1 font-mono text-xs leading-5">
        {diff.lines.slice(0, count).map((line, index) => (
          <Row key={index} line={line} hasNumbers={hasNumbers} />
        ))}
      </div>
      {rest > 0 && (
        <div className="border-t border-line p-2">
          <Button size="small" onClick={() => setCount(count + MORE_LINES)}>
            {texts.showMore(rest)}
          </Button>
        </div>
      )}
    </figure>
  );
}

const LOOKS = { same: '', added: 'bg-added', removed: 'bg-removed' };
const SIGNS = { same: ' ', added: '+', removed: '−' };

function Row({ line, hasNumbers }: { line: DiffLine; hasNumbers: boolean }) {
  if (line.type === 'gap') {
    return <div className="bg-canvas px-3 py-0.5 text-muted select-none">{`⋯ ${texts.diff.same(line.hidden)}`}</div>;
  }
  const number = line.type === 'removed' ? line.before : line.after;
  const parts = line.type === 'same' ? [{ text: line.text, changed: false }] : line.parts;
  return (
    <div className={classNames('flex min-h-5 gap-2 px-3', LOOKS[line.type])}>
      {hasNumbers && (
        <span aria-hidden="true" className="w-8 shrink-0 text-right text-muted tabular-nums select-none">
          {number}
        </span>
      )}
      <span className="w-2 shrink-0 select-none">
        <span aria-hidden="true">{SIGNS[line.type]}</span>
        {line.type !== 'same' && <span className="sr-only">{texts.diff[line.type]}</span>}
      </span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <Parts parts={parts} type={line.type} />
      </span>
    </div>
  );
}

function Parts({ parts, type }: { parts: readonly LinePart[]; type: 'same' | 'added' | 'removed' }) {
  return parts.map(({ text, changed }, index) => {
    if (text.length > LINE_CHARS) return <PlainText key={index} text={text} />;
    if (!changed) return <VisibleText key={index} text={text} place="code" />;
    return (
      <span
        key={index}
        className={classNames(
          'rounded-xs underline decoration-1 underline-offset-2',
          type === 'added' ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
        )}
      >
        <VisibleText text={text} place="code" />
      </span>
    );
  });
}
