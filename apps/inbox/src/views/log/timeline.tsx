import { DECISION_NAMES, describeEvent, KIND_NAMES } from 'beckon/presentation';
import { type Decision, type Kind, type LogEvent, toDecision } from 'beckon/protocol';
import { classNames, DECISION_LOOKS, Icon, type IconName, type Tone } from 'beckon/react/parts';
import { Link } from 'wouter';
import { formatClock, formatDay, formatInstant } from '../../interactions/instants.ts';
import { toInteractionPath } from '../../interactions/links.ts';
import { texts } from './texts.ts';

const ICONS: Record<LogEvent['type'], IconName> = {
  'interaction.requested': 'question',
  'interaction.delivered': 'inbox',
  'interaction.undeliverable': 'warning',
  'interaction.feedback_requested': 'chat',
  'interaction.answered': 'check',
  'interaction.expired': 'clock',
  'interaction.cancelled': 'close',
  'interaction.superseded': 'close',
  'interaction.late_answer': 'warning',
  'interaction.reminded': 'clock',
  'interaction.escalated': 'next',
  'interaction.withheld': 'warning',
  'interaction.watched': 'clock',
  'hook.received': 'log',
  'hook.forwarded': 'next',
  'hook.dead': 'warning',
  'session.started': 'sessions',
  'session.ended': 'logout',
  'session.renamed': 'person',
  'rule.added': 'check',
  'rule.changed': 'check',
  'rule.removed': 'close',
  'rule.stopped': 'warning',
  'policy.set': 'clock',
  'policy.removed': 'clock',
};

const LOUD = new Set<LogEvent['type']>([
  'interaction.undeliverable',
  'interaction.late_answer',
  'hook.dead',
  'rule.stopped',
]);

const COLORS: Partial<Record<Tone, string>> = {
  success: 'bg-success-soft text-success',
  danger: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
};

/** Events in order, grouped by day. With `titles`, by id, they link to the requests. */
export function Timeline({ events, titles }: { events: readonly LogEvent[]; titles?: ReadonlyMap<string, string> }) {
  if (events.length === 0) return <p className="text-sm text-muted">{texts.empty}</p>;
  return (
    <ol className="text-sm">
      {events.map((event, index) => {
        const day = formatDay(event.at);
        const before = events[index - 1];
        const isNewDay = before === undefined || formatDay(before.at) !== day;
        const details = describeEvent(event, formatInstant);
        const kind = 'kind' in event && event.type === 'interaction.requested' ? event.kind : null;
        const decision = toEventDecision(event);
        return (
          <li key={event.seq}>
            {isNewDay && <p className="pt-2 pb-1.5 text-xs font-semibold text-muted first:pt-0">{day}</p>}
            <div className="flex gap-3">
              <time
                dateTime={event.at}
                title={formatInstant(event.at)}
                className="w-15 shrink-0 pt-0.5 text-right text-xs text-muted tabular-nums"
              >
                {formatClock(event.at)}
              </time>
              <div className="flex flex-col items-center">
                <span
                  className={classNames(
                    'flex size-6 items-center justify-center rounded-full',
                    toColors(event, decision),
                  )}
                >
                  <Icon name={toIcon(event, kind, decision)} className="size-3.5" />
                </span>
                {index < events.length - 1 && <span className="w-px flex-1 bg-line" />}
              </div>
              <div className="min-w-0 flex-1 pb-3.5">
                <p title={texts.number(event.seq)}>
                  <span className="font-medium">
                    {decision === null ? (texts.types[event.type] ?? event.type) : DECISION_NAMES[decision]}
                  </span>
                  {kind !== null && <span className="text-muted">{` · ${KIND_NAMES[kind]}`}</span>}
                </p>
                {titles !== undefined && 'interactionId' in event && (
                  <p className="truncate">
                    <Link
                      to={toInteractionPath(event.interactionId)}
                      className="text-accent-text underline-offset-2 hover:underline"
                    >
                      <bdi>{titles.get(event.interactionId) ?? event.interactionId}</bdi>
                    </Link>
                  </p>
                )}
                {details !== '' && (
                  <p className="break-words text-muted">
                    <bdi>{details}</bdi>
                  </p>
                )}
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

// What was decided says more than that somebody answered.
function toEventDecision(event: LogEvent): Decision | null {
  if (event.type !== 'interaction.answered') return null;
  return toDecision({ kind: event.kind, status: 'answered', answer: event.answer });
}

function toIcon({ type }: LogEvent, kind: Kind | null, decision: Decision | null): IconName {
  return decision === null ? (kind ?? ICONS[type]) : DECISION_LOOKS[decision].icon;
}

function toColors({ type }: LogEvent, decision: Decision | null): string {
  const plain = LOUD.has(type) ? COLORS.warning : undefined;
  return (decision === null ? plain : COLORS[DECISION_LOOKS[decision].tone]) ?? 'bg-hover text-muted';
}
