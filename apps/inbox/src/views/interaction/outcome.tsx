import { useQuery } from '@tanstack/react-query';
import { describeEnding, toVisibleLine } from 'beckon/presentation';
import { type Interaction, toDecision } from 'beckon/protocol';
import { classNames, Icon, OwnAnswer, type Sending, type Tone } from 'beckon/react/parts';
import { lazy, type RefObject, Suspense } from 'react';
import { DECISION_LOOKS } from '../../interactions/decision-badge.tsx';
import { formatTook } from '../../interactions/durations.ts';
import { formatInstant } from '../../interactions/instants.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { loadDecidedByRule } from './lazy-parts.ts';
import { texts } from './texts.ts';

const DecidedByRule = lazy(() => loadDecidedByRule().then((module) => ({ default: module.DecidedByRule })));

const TONES: Record<Tone, string> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-text',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
};

const WITHHELD = { icon: 'warning', tone: 'danger' } as const;

/** The outcome of a request and, if this page sent an answer that did not count, what happened to it. */
export function Outcome({
  interaction,
  sending,
  headingRef,
}: {
  interaction: Interaction;
  sending: Sending | undefined;
  headingRef: RefObject<HTMLHeadingElement | null>;
}) {
  const { me } = useApp();
  const { status, createdAt, settledAt, reason } = interaction;
  const withheld = useWithheld(interaction);
  const { icon, tone } = withheld === null ? DECISION_LOOKS[toDecision(interaction)] : WITHHELD;
  return (
    <section className="space-y-3">
      <OwnAnswer interaction={interaction} sending={sending} me={me.who} />
      <div className="flex items-start gap-3">
        <span className={classNames('flex size-8 shrink-0 items-center justify-center rounded-full', TONES[tone])}>
          <Icon name={icon} />
        </span>
        <div className="min-w-0">
          <h2 ref={headingRef} tabIndex={-1} className="font-semibold outline-none">
            {describeEnding(interaction, me.who)}
          </h2>
          <p className="text-xs text-muted">
            {settledAt !== undefined && (
              <>
                <time dateTime={settledAt}>{formatInstant(settledAt)}</time>
                {`, ${texts.outcome.took(formatTook(Date.parse(settledAt) - Date.parse(createdAt)))}`}
              </>
            )}
          </p>
          {withheld !== null && (
            <p className="text-sm font-medium text-danger [overflow-wrap:anywhere]">
              {texts.outcome.withheld(toVisibleLine(withheld, 500, 'code'))}
            </p>
          )}
          {interaction.answeredBy?.kind === 'rule' && (
            <Suspense>
              <DecidedByRule interaction={interaction} />
            </Suspense>
          )}
          {status === 'expired' && <p className="text-sm text-muted">{texts.outcome.expiredHint}</p>}
          {status === 'superseded' && <p className="text-sm text-muted">{texts.outcome.supersededHint}</p>}
          {reason !== undefined && reason !== '' && (
            <p className="text-sm break-words">{texts.outcome.reason(toVisibleLine(reason, 1000))}</p>
          )}
        </div>
      </div>
    </section>
  );
}

/** Why an "allow" was not handed to the agent; `null` if it was, or if nobody knows. */
function useWithheld(interaction: Interaction): string | null {
  const { history } = useApp();
  const { id } = interaction;
  const { data } = useQuery({
    queryKey: keys.log(id),
    queryFn: () => history.interactionLog(id),
    enabled: toDecision(interaction) === 'allowed',
  });
  const event = data?.events.findLast(({ type }) => type === 'interaction.withheld');
  return event?.type === 'interaction.withheld' ? event.reason : null;
}
