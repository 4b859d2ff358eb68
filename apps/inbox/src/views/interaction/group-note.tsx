import { describeAnswerer, describeEnding, toAnswerText, toHeadline, toVisibleLine } from 'beckon/presentation';
import type { Interaction, InteractionOf } from 'beckon/protocol';
import { Notice } from 'beckon/react/parts';
import type { GroupSending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { texts } from './texts.ts';

/** Why the answers to a call were not sent: somebody else answered one of its questions, or it had ended. */
export function GroupNote({
  sending,
  group,
}: {
  sending: GroupSending | undefined;
  group: readonly InteractionOf<'question'>[];
}) {
  const { me } = useApp();
  if (sending?.state !== 'done' || (sending.result.result !== 'lost' && sending.result.result !== 'late')) return null;
  const ended = sending.result.interactions.filter((one) => one !== null && one.status !== 'pending');
  const isOver = group.every(({ status }) => status !== 'pending');
  return (
    <Notice tone="warning" icon="warning" role="alert" title={texts.sending.groupNotSent}>
      <ul className="space-y-0.5">
        {ended.map((one) => one !== null && <li key={one.id}>{describe(one, me.who)}</li>)}
      </ul>
      <p>{isOver ? texts.sending.groupOver : texts.sending.groupKept}</p>
    </Notice>
  );
}

function describe(interaction: Interaction, me: string): string {
  const header = interaction.kind === 'question' ? interaction.request.header : undefined;
  const name = toVisibleLine(header ?? '', 40) || toHeadline(interaction);
  const { answer, answeredBy } = interaction;
  if (answer === undefined) return texts.sending.groupEnded(name, describeEnding(interaction, me));
  const said = toVisibleLine(toAnswerText(answer), 200);
  return texts.sending.groupLost(describeAnswerer(answeredBy), name, said);
}
