import type { ReactNode, RefObject } from 'react';
import { describeEnding, toVisibleLine } from '../../../presentation/index.ts';
import { type Interaction, toDecision } from '../../../protocol/index.ts';
import { OwnAnswer } from '../answering/own-answer.tsx';
import type { Sending } from '../answering/sending.ts';
import { TONES } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { DECISION_LOOKS, type Look } from './decision-looks.ts';
import { texts } from './texts.ts';

/** How a request ended and, if this page sent an answer that did not count, what happened to it. */
export function RequestOutcome({
  interaction,
  sending,
  me,
  look: { icon, tone } = DECISION_LOOKS[toDecision(interaction)],
  headingRef,
  children,
}: {
  interaction: Interaction;
  sending?: Sending | undefined;
  /** The name of the person here, if it is known. */
  me: string | undefined;
  look?: Look;
  headingRef?: RefObject<HTMLHeadingElement | null> | undefined;
  /** What else is known about the end. */
  children?: ReactNode;
}) {
  const { status, reason } = interaction;
  return (
    <section className="space-y-3">
      <OwnAnswer interaction={interaction} sending={sending} me={me} />
      <div className="flex items-start gap-3">
        <span className={classNames('flex size-8 shrink-0 items-center justify-center rounded-full', TONES[tone])}>
          <Icon name={icon} />
        </span>
        <div className="flex min-h-8 min-w-0 flex-col justify-center">
          <h2 ref={headingRef} tabIndex={-1} className="font-semibold outline-none">
            {describeEnding(interaction, me)}
          </h2>
          {children}
          {status === 'expired' && <p className="text-sm text-muted">{texts.expiredHint}</p>}
          {status === 'superseded' && <p className="text-sm text-muted">{texts.supersededHint}</p>}
          {reason !== undefined && reason !== '' && (
            <p className="text-sm break-words">{texts.reason(toVisibleLine(reason, 1000))}</p>
          )}
        </div>
      </div>
    </section>
  );
}
