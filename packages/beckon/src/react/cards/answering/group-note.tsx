import {
  describeAnswerer,
  describeEnding,
  toAnswerText,
  toHeadline,
  toVisibleLine,
} from '../../../presentation/index.ts';
import type { Interaction } from '../../../protocol/index.ts';
import { Notice } from '../ui/notice.tsx';
import type { GroupSending } from './sending.ts';
import { texts } from './texts.ts';

/** Why the answers to a call were not sent: somebody else answered one of its questions, or it had ended. */
export function GroupNote({
  sending,
  isPending,
  me,
}: {
  sending: GroupSending | undefined;
  /** Whether questions of the call are still open. */
  isPending: boolean;
  /** The name of the person here, if it is known. */
  me: string | undefined;
}) {
  if (sending?.state !== 'done' || (sending.result.result !== 'lost' && sending.result.result !== 'late')) return null;
  const ended = sending.result.interactions.filter((one) => one !== null && one.status !== 'pending');
  return (
    <Notice tone="warning" icon="warning" role="alert" title={texts.group.notSent}>
      <ul className="space-y-0.5">{ended.map((one) => one !== null && <li key={one.id}>{describe(one, me)}</li>)}</ul>
      <p>{isPending ? texts.group.kept : texts.group.over}</p>
    </Notice>
  );
}

function describe(interaction: Interaction, me: string | undefined): string {
  const header = interaction.kind === 'question' ? interaction.request.header : undefined;
  const name = toVisibleLine(header ?? '', 40) || toHeadline(interaction);
  const { answer, answeredBy } = interaction;
  if (answer === undefined) return texts.group.ended(name, describeEnding(interaction, me));
  const said = toVisibleLine(toAnswerText(answer), 200);
  return texts.group.lost(describeAnswerer(answeredBy), name, said);
}
