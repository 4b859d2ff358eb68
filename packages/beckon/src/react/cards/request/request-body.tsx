import { BeckonError, type FieldProblem, type Interaction, type InteractionOf } from '../../../protocol/index.ts';
import type { Answering, Sending } from '../answering/sending.ts';
import { SendingNote } from '../answering/sending-note.tsx';
import { AnswerForm } from '../kinds/answer-form.tsx';
import type { FormExtras, OnAnswer } from '../kinds/parts/kind-props.ts';
import { SettledAnswer } from '../kinds/settled-answer.tsx';

const NO_PROBLEMS: readonly FieldProblem[] = [];

/**
 * The inside of a request: its form with the state of the answer while it is pending, and afterwards the request with
 * its answer. The frame around it says who asks and how it ended. It brings the forms of all kinds, so load it lazily.
 */
export function RequestBody({
  interaction,
  answering: { sending, send, retry },
  isAnswerOnly,
  isLost = false,
  plans,
  extras,
}: {
  interaction: Interaction;
  answering: Pick<Answering<Sending, OnAnswer>, 'sending' | 'send' | 'retry'>;
  isAnswerOnly: boolean;
  /** The connection is lost, so an answer waits. */
  isLost?: boolean;
  /** The plans of the same session; `null` while they are loading. */
  plans: readonly InteractionOf<'plan_review'>[] | null;
  extras: FormExtras;
}) {
  if (interaction.status !== 'pending')
    return <SettledAnswer interaction={interaction} plans={plans ?? []} loadContext={extras.loadContext} />;
  return (
    <>
      <AnswerForm
        interaction={interaction}
        onAnswer={send}
        state={sending?.state === 'sending' ? 'sending' : 'idle'}
        isAnswerOnly={isAnswerOnly}
        problems={toProblems(sending)}
        draftKey={interaction.id}
        plans={plans}
        extras={extras}
      />
      <SendingNote kind={interaction.kind} sending={sending} isLost={isLost} onRetry={retry} />
    </>
  );
}

function toProblems(sending: Sending | undefined): readonly FieldProblem[] {
  return sending?.state === 'failed' && sending.error instanceof BeckonError ? sending.error.problems : NO_PROBLEMS;
}
