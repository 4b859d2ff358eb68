import type { Beckon } from '../../core/beckon.ts';
import type { Duration } from '../../protocol/duration.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';

/** Where and for how long people are asked. */
export interface AgentOptions {
  /** The chat in which people are asked. Default: that of Beckon. */
  chatId?: string;
  /** The session that the interactions belong to, for people who look at them. */
  sessionId?: string;
  /** How long people have for an answer; `null` is for ever. Default: that of Beckon, 300 seconds. */
  timeout?: Duration | null;
}

/** Asks, and waits until it is settled. Aborting cancels it. */
export async function askAndWait(
  beckon: Beckon,
  input: AskInput,
  { chatId, sessionId, timeout }: AgentOptions,
  signal: AbortSignal,
): Promise<Interaction> {
  signal.throwIfAborted();
  const { id } = await beckon.ask({
    ...input,
    ...(chatId !== undefined && { chatId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(timeout !== undefined && { timeout }),
  });
  try {
    return await beckon.wait(id, { signal });
  } catch (error) {
    if (signal.aborted) await beckon.cancel({ id }, 'The agent no longer waits for it');
    throw error;
  }
}
