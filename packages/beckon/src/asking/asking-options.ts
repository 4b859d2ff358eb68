import type { RequestOptions } from '../core/request.ts';
import type { AskInput, Kind } from '../protocol/interaction.ts';

/** What every verb takes besides what it asks: how `ask` asks, and how `request` waits. */
export interface AskingOptions<K extends Kind = Kind>
  extends RequestOptions<K>,
    Omit<AskInput, 'kind' | 'request' | 'idempotencyKey'> {
  /**
   * Names this request for good (its `idempotencyKey`): a restarted agent that asks the same with the same key finds
   * the request, or its answer. Take the id of the tool call. Asking something else with it throws `key_reused`.
   */
  key?: string | undefined;
}

/** Separates how a request is asked from how it is waited for. Unknown names go to Beckon, which refuses them. */
export function splitOptions<K extends Kind>({
  key,
  signal,
  reason,
  keep,
  onAsked,
  ...ask
}: AskingOptions<K>): { ask: Omit<AskInput, 'kind' | 'request'>; wait: RequestOptions<K> } {
  return { ask: { idempotencyKey: key, ...ask }, wait: { signal, reason, keep, onAsked } };
}
