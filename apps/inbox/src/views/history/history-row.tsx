import { toAsker, toHeadline, toPlace, toVisibleLine } from 'beckon/presentation';
import { type AnsweredBy, type Interaction, toDecision } from 'beckon/protocol';
import { Badge, classNames, Icon, LevelBadge, useRisk } from 'beckon/react/parts';
import { Link } from 'wouter';
import { AskerClaim } from '../../interactions/asker-claim.tsx';
import { DecisionBadge } from '../../interactions/decision-badge.tsx';
import { formatInstant, formatShort } from '../../interactions/instants.ts';
import { texts as interactionTexts } from '../../interactions/texts.ts';
import { texts } from './texts.ts';

/** One request in the history. */
export function HistoryRow({ interaction, isOpen, href }: { interaction: Interaction; isOpen: boolean; href: string }) {
  const { kind, createdAt, answeredBy } = interaction;
  const risk = useRisk(interaction);
  const asker = toAsker(interaction);
  const { project } = toPlace(interaction);
  return (
    <li>
      <Link
        to={href}
        state={{ focus: true }}
        data-row
        aria-current={isOpen ? 'true' : undefined}
        className={classNames(
          'flex gap-2.5 border-b border-line px-4 py-2 -outline-offset-2',
          isOpen ? 'bg-selected-row' : 'hover:bg-hover',
        )}
      >
        <Icon name={kind} className="mt-0.5 text-muted" />
        <span className="flex min-w-0 flex-1 flex-col gap-0.5">
          <span className="flex min-w-0 items-center gap-2">
            <LevelBadge level={risk?.level} />
            <bdi className="block min-w-0 truncate text-sm font-medium">{toHeadline(interaction)}</bdi>
          </span>
          <span className="flex items-center gap-2 text-xs text-muted">
            <DecisionBadge decision={toDecision(interaction)} />
            {answeredBy !== undefined && <bdi className="max-w-1/3 shrink truncate">{toAnswererName(answeredBy)}</bdi>}
            {asker.isSample && <Badge tone="accent">{interactionTexts.sample}</Badge>}
            <span className="min-w-0 flex-1 truncate">
              {project !== undefined && <bdi>{`${project} · `}</bdi>}
              <bdi>{asker.name}</bdi> <AskerClaim interaction={interaction} />
            </span>
            <time dateTime={createdAt} title={formatInstant(createdAt)} className="shrink-0 tabular-nums">
              {formatShort(createdAt, new Date())}
            </time>
          </span>
        </span>
      </Link>
    </li>
  );
}

// The full sentence stands in the request.
function toAnswererName({ who, kind }: AnsweredBy): string {
  const name = toVisibleLine(who, 60);
  return kind === 'rule' ? texts.ruleOf(name) : name;
}
