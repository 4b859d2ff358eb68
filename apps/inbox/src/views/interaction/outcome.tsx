import { useQuery } from '@tanstack/react-query';
import { toVisibleLine } from 'beckon/presentation';
import { type Interaction, toDecision } from 'beckon/protocol';
import { RequestOutcome, type Sending } from 'beckon/react/parts';
import { lazy, type RefObject, Suspense } from 'react';
import { formatTook } from '../../interactions/durations.ts';
import { formatInstant } from '../../interactions/instants.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { loadDecidedByRule } from './lazy-parts.ts';
import { texts } from './texts.ts';

const DecidedByRule = lazy(() => loadDecidedByRule().then((module) => ({ default: module.DecidedByRule })));

const WITHHELD = { icon: 'warning', tone: 'danger' } as const;

/** The outcome of a request, with what this page knows about it: when, by which rule, and if it was handed over. */
export function Outcome({
  interaction,
  sending,
  headingRef,
}: {
  interaction: Interaction;
  sending?: Sending | undefined;
  headingRef?: RefObject<HTMLHeadingElement | null>;
}) {
  const { me } = useApp();
  const { createdAt, settledAt } = interaction;
  const withheld = useWithheld(interaction);
  return (
    <RequestOutcome
      interaction={interaction}
      sending={sending}
      me={me.who}
      headingRef={headingRef}
      {...(withheld !== null && { look: WITHHELD })}
    >
      {settledAt !== undefined && (
        <p className="text-xs text-muted">
          <time dateTime={settledAt}>{formatInstant(settledAt)}</time>
          {`, ${texts.outcome.took(formatTook(Date.parse(settledAt) - Date.parse(createdAt)))}`}
        </p>
      )}
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
    </RequestOutcome>
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
