import { useMemo } from 'react';
import type { Beckon } from '../../../core/beckon.ts';
import { type Interaction, LIMITS } from '../../../protocol/index.ts';
import { useLive } from './use-live.ts';

/** What `useRequests` knows. */
export interface Requests {
  /** The pending requests, oldest first; `undefined` until the first reply. */
  requests: readonly Interaction[] | undefined;
  /** There are more than these: only the newest are listed. */
  hasMore: boolean;
  /** Why they could not be read; it tries again by itself. */
  error: unknown;
}

/**
 * The pending requests, live. A token for one chat gets those of that chat; with `chatId`, others get only those of it
 * too. All hooks for the same `beckon` share one stream of events.
 *
 * @example
 * ```tsx
 * const beckon = connectBeckon(url, { token });
 *
 * function Waiting() {
 *   const { requests = [] } = useRequests(beckon, { chatId: 'support' });
 *   return <p>{requests.length} waiting</p>;
 * }
 * ```
 */
export function useRequests(beckon: Beckon, { chatId }: { chatId?: string | undefined } = {}): Requests {
  const filter = { status: 'pending', limit: LIMITS.pageItems, ...(chatId !== undefined && { chatId }) } as const;
  const { value, error } = useLive(
    beckon,
    `pending ${JSON.stringify(chatId ?? null)}`,
    () => beckon.list(filter),
    (event) => 'interactionId' in event && (chatId === undefined || event.chatId === chatId),
  );
  const requests = useMemo(() => value?.items.toReversed(), [value]);
  return { requests, hasMore: value?.next !== undefined, error };
}
