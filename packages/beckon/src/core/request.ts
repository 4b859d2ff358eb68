import { BeckonError } from '../protocol/errors.ts';
import type { AskInput, Kind, Settled } from '../protocol/interaction.ts';
import type { Asked, Beckon } from './beckon.ts';

/** How a request is waited for, and what becomes of it when the wait is aborted. */
interface WaitOptions {
  /** Aborting takes the request back, because nobody waits for its answer any more. */
  signal?: AbortSignal | undefined;
  /** Why an aborted request ended, for the people who see it. Default: the agent no longer waits for it. */
  reason?: string | undefined;
  /** Leaves an aborted request pending, for an agent that will ask again with the same `idempotencyKey`. */
  keep?: boolean | undefined;
}

export interface RequestOptions<K extends Kind = Kind> extends WaitOptions {
  /** Hears of the request before the wait begins. If it throws, the request stays as it is. */
  onAsked?: ((asked: Asked<K>) => void) | undefined;
}

export interface RequestGroupOptions<K extends Kind = Kind> extends WaitOptions {
  /** Hears of all requests before the wait begins. If it throws, they stay as they are. */
  onAsked?: ((asked: readonly Asked<K>[]) => void) | undefined;
  /** Hears of each request as it is settled. */
  onSettled?: ((settled: Settled<K>) => void) | undefined;
}

const NO_LONGER_WAITS = 'The agent no longer waits for it';

/**
 * Asks, and waits until the request is settled. Aborting supersedes the request and rejects with the signal's reason;
 * if the request cannot be taken back, it rejects with why. If the signal's reason is a `BeckonError`, Beckon itself
 * stops: the request stays pending, and asking again with its `idempotencyKey` finds it.
 */
export async function request<K extends Kind>(
  beckon: Beckon,
  input: AskInput<K>,
  { signal, reason = NO_LONGER_WAITS, keep = false, onAsked }: RequestOptions<K> = {},
): Promise<Settled<K>> {
  signal?.throwIfAborted();
  const asked = await beckon.ask(input);
  onAsked?.(asked);
  if (asked.status !== 'pending') return asked as Settled<K>;
  try {
    return await beckon.wait<K>(asked.id, signal && { signal });
  } catch (error) {
    if (isOver(signal, keep)) await beckon.supersede(asked.id, reason);
    throw error;
  }
}

/**
 * Asks the requests of one call in one commit, and waits until all are settled; by the rules of `request`. When one is
 * cancelled or ends elsewhere the call cannot go on, so the rest is taken back. A single request is no group.
 */
export async function requestGroup<K extends Kind>(
  beckon: Beckon,
  inputs: readonly AskInput<K>[],
  { onAsked, onSettled, ...options }: RequestGroupOptions<K> = {},
): Promise<Settled<K>[]> {
  const [only] = inputs;
  if (only !== undefined && inputs.length === 1) {
    const settled = await request(beckon, only, { ...options, onAsked: (asked) => onAsked?.([asked]) });
    onSettled?.(settled);
    return [settled];
  }
  const { signal, reason = NO_LONGER_WAITS, keep = false } = options;
  signal?.throwIfAborted();
  const asked = await beckon.askGroup(inputs);
  onAsked?.(asked);
  const takeBack = async (why: string): Promise<void> => {
    const open = asked.filter(({ status }) => status === 'pending');
    await Promise.all(open.map(({ id }) => beckon.supersede(id, why)));
  };
  const waitFor = async (step: Asked<K>): Promise<Settled<K>> => {
    const settled =
      step.status === 'pending' ? await beckon.wait<K>(step.id, signal && { signal }) : (step as Settled<K>);
    onSettled?.(settled);
    if (settled.status === 'cancelled') await takeBack('Another question of the same call was cancelled');
    if (settled.status === 'superseded') await takeBack('Another question of the same call ended elsewhere');
    return settled;
  };
  try {
    return await Promise.all(asked.map(waitFor));
  } catch (error) {
    if (isOver(signal, keep)) await takeBack(reason);
    throw error;
  }
}

/** Whether nobody will come back for what was asked. */
function isOver(signal: AbortSignal | undefined, keep: boolean): boolean {
  return signal?.aborted === true && !keep && !(signal.reason instanceof BeckonError);
}
