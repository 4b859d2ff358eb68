import { describeEnding, toVisibleLine } from '../../../presentation/index.ts';
import type { Interaction } from '../../../protocol/index.ts';
import { OwnAnswer } from '../answering/own-answer.tsx';
import type { Sending } from '../answering/sending.ts';
import { texts } from './texts.ts';

/** How a request ended and, if this card sent an answer that did not count, what happened to it. */
export function CardOutcome({
  interaction,
  sending,
  who,
}: {
  interaction: Interaction;
  sending: Sending | undefined;
  who: string | undefined;
}) {
  const { status, reason } = interaction;
  return (
    <div role="status" className="space-y-2 text-sm">
      <OwnAnswer interaction={interaction} sending={sending} me={who} />
      <p className="font-semibold">{describeEnding(interaction, who)}</p>
      {status === 'expired' && <p className="text-muted">{texts.expiredHint}</p>}
      {status === 'superseded' && <p className="text-muted">{texts.supersededHint}</p>}
      {reason !== undefined && reason !== '' && (
        <p className="break-words">{texts.reason(toVisibleLine(reason, 1000))}</p>
      )}
    </div>
  );
}
