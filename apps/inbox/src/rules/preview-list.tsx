import type { PreviewItem } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Link } from 'wouter';
import { DecisionBadge } from '../interactions/decision-badge.tsx';
import { toInteractionPath } from '../interactions/links.ts';
import { Age } from '../interactions/time-left.tsx';
import { texts } from './texts.ts';

/** Requests, each readable on a line: what it was, what became of it, by whom and when. */
export function PreviewList({
  label,
  items,
  total = items.length,
  isLinked = false,
  hasPeople = true,
}: {
  label: string;
  items: readonly PreviewItem[];
  /** How many there are, if these are only the newest. */
  total?: number;
  /** Whether each leads to its request. In a dialog that decides something they do not. */
  isLinked?: boolean;
  /** Whether each says who decided it. */
  hasPeople?: boolean;
}) {
  return (
    <div>
      <ul aria-label={label} className="divide-y divide-line rounded-md border border-line bg-surface">
        {items.map((item) => (
          <li key={item.id} className="flex flex-wrap items-center gap-x-2 gap-y-0.5 px-2.5 py-1.5 text-xs">
            {isLinked ? (
              <Link
                to={toInteractionPath(item.id)}
                className="min-w-0 flex-1 basis-40 font-mono text-accent-text underline-offset-2 [overflow-wrap:anywhere] hover:underline"
              >
                <bdi>{item.headline}</bdi>
              </Link>
            ) : (
              <bdi className="min-w-0 flex-1 basis-40 font-mono [overflow-wrap:anywhere]">{item.headline}</bdi>
            )}
            <span className="flex shrink-0 items-center gap-2 text-muted">
              <DecisionBadge decision={item.decision} />
              {hasPeople && item.by !== undefined && <bdi>{texts.preview.by(toVisibleLine(item.by, 40))}</bdi>}
              <Age at={item.at} />
            </span>
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className="px-2.5 pt-1 text-xs text-muted">{texts.preview.more(total - items.length)}</p>
      )}
    </div>
  );
}
