import { describeAnswerer, isBy } from '../../../presentation/index.ts';
import type { Interaction } from '../../../protocol/index.ts';
import { Notice } from '../ui/notice.tsx';
import type { Sending } from './sending.ts';
import { texts } from './texts.ts';

/** What happened to an answer of this page that did not count. Nothing if it did, or if there was none. */
export function OwnAnswer({
  interaction,
  sending,
  me,
}: {
  interaction: Interaction;
  sending: Sending | undefined;
  /** The name of the person here, if it is known. */
  me: string | undefined;
}) {
  if (sending?.state === 'failed') {
    return (
      <Notice tone="warning" icon="warning" role="alert" title={texts.unsureTitle}>
        <p>{texts.failedSettled}</p>
      </Notice>
    );
  }
  if (sending?.state !== 'done') return null;
  switch (sending.result.result) {
    case 'lost':
      return (
        <Notice tone="warning" icon="warning" role="alert" title={describeWinner(interaction.answeredBy, me)}>
          <p>{texts.lostHint}</p>
        </Notice>
      );
    case 'late':
      return (
        <Notice tone="warning" icon="warning" role="alert" title={texts.lateTitle}>
          <p>{texts.lateHint}</p>
        </Notice>
      );
    case 'accepted':
    case 'repeated':
    case 'unknown':
      return null;
  }
}

function describeWinner(by: Interaction['answeredBy'], me: string | undefined): string {
  const answerer = describeAnswerer(by);
  return isBy(by, me) ? texts.lostToYourself(answerer) : texts.lostTitle(answerer);
}
