import { lazy, useMemo, useState } from 'react';
import type { AnswerResult } from '../../../core/beckon.ts';
import type { AnswerInput, Interaction } from '../../../protocol/index.ts';
import { Sender } from '../answering/sender.ts';
import type { AnswerSender } from '../answering/sending.ts';
import { useAnswering } from '../answering/use-answering.ts';
import type { LoadContext, LoadPlans } from '../kinds/parts/kind-props.ts';
import { usePlans } from '../kinds/plan-review/use-plans.ts';
import { RequestOutcome } from '../request/request-outcome.tsx';
import { CardFrame } from './card-frame.tsx';

const RequestBody = lazy(() =>
  import('../request/request-body.tsx').then((module) => ({ default: module.RequestBody })),
);

/** The props of a `RequestCard`. */
export interface RequestCardProps {
  /** A request of any kind and status. */
  interaction: Interaction;
  /** Sends an answer, such as `useAnswer` does. If it rejects, the card says so and keeps what was entered. */
  onAnswer: (answer: AnswerInput) => Promise<AnswerResult>;
  /** Reads what surrounds a request, such as the files before a change: `(id) => beckon.context(id)`. */
  loadContext?: LoadContext | undefined;
  /** Reads the plans of a session: a new version of a plan then opens with what changed since the last one. */
  loadPlans?: LoadPlans | undefined;
  /** The token may answer, but not change what runs. Default: `false`. */
  isAnswerOnly?: boolean;
  /** The name of the person here, for "(you)" behind their own answers. */
  who?: string | undefined;
  className?: string;
}

/**
 * One request with its controls, and how it ended once it has. Needs `beckon/react/cards.css`.
 *
 * A press decides only what was on the screen, unchanged, for a moment before it began; everything else is refused,
 * and the card says why. What is dangerous takes a second press at another place.
 *
 * @example
 * ```tsx
 * const { request } = useRequest(beckon, id);
 * const answer = useAnswer(beckon, { who: 'ada' });
 * return request && <RequestCard interaction={request} onAnswer={(given) => answer(id, given)} />;
 * ```
 */
export function RequestCard(props: RequestCardProps) {
  // Another request is another card: nothing of the one before may stay.
  return <Card key={props.interaction.id} {...props} />;
}

function Card({
  interaction: given,
  onAnswer,
  loadContext,
  loadPlans,
  isAnswerOnly = false,
  who,
  className,
}: RequestCardProps) {
  const [sender] = useState<AnswerSender>(() => new Sender());
  const answering = useAnswering(sender, given, { post: onAnswer });
  const { sending, refusal } = answering;
  // The reply to an answer may be ahead of what the page knows: what has settled stays so.
  const replied = sending?.state === 'done' ? sending.result.interaction : null;
  const interaction = replied !== null && replied.status !== 'pending' ? replied : given;
  const isPending = interaction.status === 'pending';
  const extras = useMemo(() => ({ loadContext }), [loadContext]);
  return (
    <CardFrame
      interaction={interaction}
      isPending={isPending}
      refusal={refusal}
      className={className}
      top={
        !isPending && (
          <div role="status">
            <RequestOutcome interaction={interaction} sending={sending} me={who} />
          </div>
        )
      }
    >
      <RequestBody
        interaction={interaction}
        answering={answering}
        isAnswerOnly={isAnswerOnly}
        plans={usePlans(given, loadPlans)}
        extras={extras}
      />
    </CardFrame>
  );
}
