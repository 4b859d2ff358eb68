import { useState } from 'react';
import type { Beckon } from '../../../core/beckon.ts';
import { toEntryKey, toPendingEntries } from '../../../presentation/index.ts';
import type { Interaction } from '../../../protocol/index.ts';
import { describeSent } from '../answering/describe-sent.ts';
import { toMessage } from '../answering/error-text.ts';
import { useRequests } from '../live/use-requests.ts';
import { classNames } from '../ui/class-names.ts';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { InboxRow } from './inbox-row.tsx';
import { OpenRequest } from './open-request.tsx';
import { texts } from './texts.ts';

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
 * What is waiting for an answer, live, and the card of one of them. The questions of one call are one row, and are
 * answered together. The first answer wins: a request that somebody else answers stays with its outcome until the
 * person goes on. Needs `beckon/react/cards.css`.
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
  const [open, setOpen] = useState<Interaction | null>(null);
  const [answered, setAnswered] = useState<readonly Interaction[]>([]);
  // An answer of this page may be ahead of the list.
  const entries = requests && toPendingEntries(without(requests, answered));
  const first = entries?.[0]?.interaction ?? null;
  // What is open stays open, even after it has ended: it must not be replaced under the pointer.
  if (open === null && first !== null) setOpen(first);
  const onAnswered = (decided: readonly Interaction[]): void => {
    setAnswered(decided);
    setOpen(toPendingEntries(without(requests ?? [], decided))[0]?.interaction ?? null);
  };
  const openKey = open && toEntryKey(open);
  const openEntry = entries?.find(({ interaction }) => toEntryKey(interaction) === openKey);
  const next = entries?.find(({ steps }) => !steps.some(({ id }) => id === open?.id))?.interaction;
  return (
    <section aria-label={texts.label} className={classNames('beckon-ui', className)}>
      <div className="min-w-0 space-y-3">
        <div role="status" className="text-xs text-muted">
          {answered.length > 0 && <p>{describeSent(answered)}</p>}
          {entries !== undefined && <p>{entries.length === 0 ? texts.none : texts.waiting(entries.length)}</p>}
        </div>
        {error !== undefined && (
          <Notice tone="warning" icon="offline" role="alert" title={texts.failed}>
            <p>{toMessage(error)}</p>
          </Notice>
        )}
        {entries === undefined && error === undefined && <Loading />}
        {entries !== undefined && entries.length > 0 && (
          <ul className="max-h-64 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
            {entries.map((entry) => (
              <InboxRow
                key={toEntryKey(entry.interaction)}
                entry={entry}
                isOpen={entry === openEntry}
                onOpen={() => setOpen(entry.interaction)}
              />
            ))}
          </ul>
        )}
        {hasMore && <p className="text-xs text-muted">{texts.more}</p>}
        {open !== null && (
          <OpenRequest
            key={open.id}
            beckon={beckon}
            id={open.id}
            listed={openEntry?.steps ?? []}
            who={who}
            isAnswerOnly={isAnswerOnly}
            onAnswered={onAnswered}
            onNext={next && (() => setOpen(next))}
          />
        )}
      </div>
    </section>
  );
}

function without(requests: readonly Interaction[], others: readonly Interaction[]): Interaction[] {
  return requests.filter(({ id }) => !others.some((other) => other.id === id));
}
