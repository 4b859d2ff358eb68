import { BeckonError } from '../protocol/errors.ts';
import type { AskInput, Kind, Settled } from '../protocol/interaction.ts';
import type { Asked, Beckon } from './beckon.ts';

/** How a request is waited for, and what becomes of it when the wait is aborted. */
export interface RequestOptions<K extends Kind = Kind> {
  /** Aborting takes the request back, because nobody waits for its answer any more. */
  signal?: AbortSignal | undefined;
  /** Why an aborted request ended, for the people who see it. Default: the agent no longer waits for it. */
  reason?: string | undefined;
  /** Leaves an aborted request pending, for an agent that will ask again with the same `idempotencyKey`. */
  keep?: boolean | undefined;
  /** Hears of the request before the wait begins. If it throws, the request stays as it is. */
  onAsked?: ((asked: Asked<K>) => void) | undefined;
}

/**
 * Asks, and waits until the request is settled. Aborting supersedes the request and rejects with the signal's reason;
 * if the request cannot be taken back, it rejects with why. If the signal's reason is a `BeckonError`, Beckon itself
 * stops: the request stays pending, and asking again with its `idempotencyKey` finds it.
 */
export async function request<K extends Kind>(
  beckon: Beckon,
  input: AskInput<K>,
  { signal, reason = 'The agent no longer waits for it', keep = false, onAsked }: RequestOptions<K> = {},
): Promise<Settled<K>> {
  signal?.throwIfAborted();
  const asked = await beckon.ask(input);
  onAsked?.(asked);
  if (asked.status !== 'pending') return asked as Settled<K>;
  try {
    return await beckon.wait<K>(asked.id, signal && { signal });
  } catch (error) {
    const isOver = signal?.aborted === true && !keep && !(signal.reason instanceof BeckonError);
    if (isOver) await beckon.supersede(asked.id, reason);
    throw error;
  }
}
