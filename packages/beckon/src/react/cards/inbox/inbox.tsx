import { useState } from 'react';
import type { Beckon } from '../../../core/beckon.ts';
import { DECISION_NAMES, toHeadline } from '../../../presentation/index.ts';
import { type Interaction, toDecision } from '../../../protocol/index.ts';
import { toMessage } from '../answering/error-text.ts';
import { useRequests } from '../live/use-requests.ts';
import { classNames } from '../ui/class-names.ts';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { InboxRow } from './inbox-row.tsx';
import { OpenRequest } from './open-request.tsx';
import { texts } from './texts.ts';

/** The line about the last answer has room for this much of its request. */
const HEADLINE_CHARS = 60;

/** The props of an `Inbox`. */
export interface InboxProps {
  /** Where the requests are, such as `connectBeckon(url, { token })`. Pass the same object again and again. */
  beckon: Beckon;
  /** Only the requests of this chat. A token for one chat shows no others anyway. */
  chatId?: string | undefined;
  /** The name of the person here. Over the network the token says who answers, and this is kept beside it. */
  who: string;
  /** The token may answer, but not change what runs. Default: `false`. */
  isAnswerOnly?: boolean;
  className?: string;
}

/**
 * What is waiting for an answer, live, and the card of one of them. The first answer wins: a request that somebody else
 * answers stays with its outcome until the person goes on. Needs `beckon/react/cards.css`.
 *
 * @example
 * ```tsx
 * const beckon = connectBeckon('https://app.example/beckon', { token });
 *
 * export function Requests() {
 *   return <Inbox beckon={beckon} chatId="support" who="ada" />;
 * }
 * ```
 */
export function Inbox({ beckon, chatId, who, isAnswerOnly = false, className }: InboxProps) {
  const { requests, hasMore, error } = useRequests(beckon, { chatId });
  const [openId, setOpenId] = useState<string | null>(null);
  const [answered, setAnswered] = useState<Interaction | null>(null);
  // An answer of this page may be ahead of the list.
  const waiting = requests?.filter(({ id }) => id !== answered?.id);
  const first = waiting?.[0]?.id ?? null;
  // What is open stays open, even after it has ended: it must not be replaced under the pointer.
  if (openId === null && first !== null) setOpenId(first);
  const onAnswered = (interaction: Interaction): void => {
    setAnswered(interaction);
    setOpenId(waiting?.find(({ id }) => id !== interaction.id)?.id ?? null);
  };
  const next = waiting?.find(({ id }) => id !== openId)?.id;
  return (
    <section aria-label={texts.label} className={classNames('beckon-ui', className)}>
      <div className="min-w-0 space-y-3">
        <div role="status" className="text-xs text-muted">
          {answered !== null && (
            <p>{texts.decided(DECISION_NAMES[toDecision(answered)], toHeadline(answered, HEADLINE_CHARS))}</p>
          )}
          {waiting !== undefined && <p>{waiting.length === 0 ? texts.none : texts.waiting(waiting.length)}</p>}
        </div>
        {error !== undefined && (
          <Notice tone="warning" icon="offline" role="alert" title={texts.failed}>
            <p>{toMessage(error)}</p>
          </Notice>
        )}
        {waiting === undefined && error === undefined && <Loading />}
        {waiting !== undefined && waiting.length > 0 && (
          <ul className="max-h-64 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
            {waiting.map((interaction) => (
              <InboxRow
                key={interaction.id}
                interaction={interaction}
                isOpen={interaction.id === openId}
                onOpen={() => setOpenId(interaction.id)}
              />
            ))}
          </ul>
        )}
        {hasMore && <p className="text-xs text-muted">{texts.more}</p>}
        {openId !== null && (
          <OpenRequest
            key={openId}
            beckon={beckon}
            id={openId}
            listed={waiting?.find(({ id }) => id === openId)}
            who={who}
            isAnswerOnly={isAnswerOnly}
            onAnswered={onAnswered}
            onNext={next === undefined ? undefined : () => setOpenId(next)}
          />
        )}
      </div>
    </section>
  );
}
