import type { ComponentAnswer } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Answerer, Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { AnswerResult, Beckon } from './beckon.ts';
import { type TakenResult, toLostEvent, toUnknownCallback } from './callback-request.ts';

/** Whoever has the callback URL may send the event, so Beckon knows how it came but not who sent it. */
const ANSWERER: Answerer = { who: 'somebody', via: 'callback' };

/** What an agent's callback says about itself in the `metadata` of its interaction. */
export interface CallbackMetadata {
  /** The port whose server takes events for it; absent if only a daemon does. */
  port?: number | undefined;
  origins: readonly string[];
}

export function toCallbackMetadata({ port, origins }: CallbackMetadata): JsonObject {
  return { callback: { ...(port !== undefined && { port }), origins: [...origins] } };
}

/** Reads it back; `null` if the interaction was not asked by a callback. Agents may write anything into `metadata`. */
export function readCallbackMetadata(interaction: Interaction | null): CallbackMetadata | null {
  const written = interaction?.kind === 'component' ? interaction.metadata?.['callback'] : undefined;
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return null;
  const { port, origins } = written;
  return {
    port: typeof port === 'number' ? port : undefined,
    origins: Array.isArray(origins) ? origins.filter((origin) => typeof origin === 'string') : [],
  };
}

/** Answers an interaction with the event of a callback. Throws what the page is told if the event does not count. */
export async function answerCallback(beckon: Beckon, id: string, event: ComponentAnswer): Promise<TakenResult> {
  return toTaken(id, await beckon.answer(id, event, ANSWERER));
}

/** What a page hears. An old callback URL is no permission to learn who answered, or what. */
export function toTaken(id: string, { result, interaction }: AnswerResult): TakenResult {
  switch (result) {
    case 'accepted':
    case 'repeated':
      return result;
    case 'lost':
      throw toLostEvent();
    case 'late':
      throw new BeckonError(
        'answer_late',
        `This request was already ${toWord(interaction)}. The event does not count.`,
      );
    case 'unknown':
      throw toUnknownCallback(id);
  }
}

function toWord(interaction: Interaction | null): string {
  return interaction?.status === 'superseded' ? 'ended elsewhere' : (interaction?.status ?? 'over');
}
