import type { Beckon } from '../../../core/beckon.ts';
import type { Interaction } from '../../../protocol/index.ts';
import { useLive } from './use-live.ts';

/**
 * One request, live: pending, and then how it ended. `request` is `undefined` until the first reply, and `null` if
 * there is none with this id, or the token may not see it.
 *
 * @example
 * ```tsx
 * const { request } = useRequest(beckon, id);
 * return <p>{request?.status}</p>;
 * ```
 */
export function useRequest(beckon: Beckon, id: string): { request: Interaction | null | undefined; error: unknown } {
  const { value, error } = useLive(
    beckon,
    `request ${id}`,
    () => beckon.get(id),
    (event) => 'interactionId' in event && event.interactionId === id,
  );
  return { request: value, error };
}
