import type { ListedRule } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { classNames } from 'beckon/react/parts';
import { Link } from 'wouter';
import { toRulePath } from '../../interactions/links.ts';
import { Age } from '../../interactions/time-left.tsx';
import { RuleEnd } from '../../rules/rule-end.tsx';
import { RuleSentence } from '../../rules/rule-sentence.tsx';
import { RuleBadges } from './rule-badges.tsx';
import { texts } from './texts.ts';

/** One rule in the list: what it says, whose it is, how long it holds and how often it was used. */
export function RuleRow({ listed: { rule, hits, lastHitAt }, isOpen }: { listed: ListedRule; isOpen: boolean }) {
  return (
    <li>
      <Link
        to={toRulePath(rule.id)}
        data-row
        aria-current={isOpen ? 'true' : undefined}
        className={classNames(
          'flex flex-col gap-1 border-b border-line px-4 py-2 -outline-offset-2',
          isOpen ? 'bg-selected-row' : 'hover:bg-hover',
        )}
      >
        <span
          className={classNames(
            'line-clamp-3 text-sm [overflow-wrap:anywhere]',
            rule.stopped !== undefined && 'text-muted',
          )}
        >
          <RuleSentence rule={rule} />
        </span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-muted">
          <RuleBadges rule={rule} />
          <bdi className="max-w-32 truncate">{texts.by(toVisibleLine(rule.createdBy, 60))}</bdi>
          {rule.until !== undefined && <RuleEnd until={rule.until} />}
          <span className="ml-auto tabular-nums">
            {texts.hits(hits)}
            {lastHitAt !== undefined && (
              <>
                {` · ${texts.last} `}
                <Age at={lastHitAt} />
              </>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
