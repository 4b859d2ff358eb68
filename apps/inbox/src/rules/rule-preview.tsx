import type { RulePreview as Preview } from 'beckon/client';
import { classNames, Icon } from 'beckon/react/parts';
import { useId, useState } from 'react';
import { describePreview } from './describe-preview.ts';
import { PreviewList } from './preview-list.tsx';
import { texts } from './texts.ts';

/** What a rule would have decided, in a line that opens to the requests themselves. */
export function RulePreview({
  preview,
  line = describePreview(preview),
  isLinked = false,
}: {
  preview: Preview;
  line?: string;
  isLinked?: boolean;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isContradicted = preview.contradictions.length > 0;
  const look = isContradicted ? 'text-warning' : 'text-muted';
  // What still waits, nobody has decided.
  const items = preview.items.filter(({ decision }) => decision !== 'pending');
  const waiting = preview.byDecision.find(({ decision }) => decision === 'pending')?.count ?? 0;
  if (items.length === 0) return <p className={classNames('text-xs', look)}>{line}</p>;
  return (
    <div className="space-y-1.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className={classNames(
          '-mx-1 flex items-start gap-1 rounded px-1 text-left text-xs hover:text-ink pointer-coarse:min-h-9 pointer-coarse:items-center',
          look,
        )}
      >
        <Icon name="next" className={classNames('mt-0.5 size-3 transition-transform', isOpen && 'rotate-90')} />
        {isContradicted && <Icon name="warning" className="mt-0.5 size-3.5" />}
        <span className="underline decoration-dotted underline-offset-3">{line}</span>
      </button>
      {isOpen && (
        <div id={id}>
          <PreviewList label={texts.preview.list} items={items} total={preview.matched - waiting} isLinked={isLinked} />
        </div>
      )}
    </div>
  );
}
