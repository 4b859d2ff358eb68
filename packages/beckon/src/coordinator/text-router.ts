import type { Beckon } from '../core/beckon.ts';
import { pickTextTarget, toTextAnswer } from '../core/route-text.ts';
import { toVisibleLine } from '../core/visible.ts';
import type { Answerer, Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { describe } from './describe.ts';

/** What the person hears when their text answered something. */
export const RESPONSE_RECEIVED = 'Response received.';

/**
 * What became of a text. `routed`: it answered something. `held`: it did not, and `reply` asks or tells the person why. `not_for_us`: it
 * has nothing to do with what is pending.
 */
export type Routed = { result: 'routed' | 'held'; reply: string } | { result: 'not_for_us' };

/** A text whose target is not clear, and what the numbers mean that the person was offered. */
interface Held {
  text: string;
  ids: string[];
}

/**
 * Finds the interaction that a text typed in a chat answers. Where several could be meant it holds the text and asks which; the next
 * text, if it is a number, says it. Nothing is guessed, and nothing is swallowed: the person hears of every text that was not used.
 */
export class TextRouter {
  readonly #beckon: Beckon;
  readonly #held = new Map<string, Held>();

  constructor(beckon: Beckon) {
    this.#beckon = beckon;
  }

  /** `replyTo` is the interaction whose message the text replies to, where the place knows replies. */
  async route(chatId: string, text: string, by: Answerer, replyTo?: string): Promise<Routed> {
    const { items } = await this.#beckon.list({ chatId, status: 'pending', limit: LIMITS.pageItems });
    // In the order in which they were asked.
    const candidates = items.filter((interaction) => toTextAnswer(interaction, text) !== null).toReversed();
    const held = this.#held.get(chatId);
    if (replyTo !== undefined) {
      const target = candidates.find(({ id }) => id === replyTo);
      return target === undefined ? tellUnused(text) : this.#send(target, text, by);
    }
    if (held !== undefined && /^\s*\d{1,3}\s*$/.test(text)) return this.#choose(chatId, held, text, candidates, by);
    this.#held.delete(chatId);
    const target = pickTextTarget(candidates);
    if (target !== null) return this.#send(target, text, by, held?.text);
    if (candidates.length === 0) return { result: 'not_for_us' };
    return this.#hold(chatId, text, candidates, held?.text);
  }

  async #choose(
    chatId: string,
    held: Held,
    number: string,
    candidates: readonly Interaction[],
    by: Answerer,
  ): Promise<Routed> {
    const chosen = held.ids[Number(number) - 1];
    const target = candidates.find(({ id }) => id === chosen);
    this.#held.delete(chatId);
    if (target !== undefined) {
      const routed = await this.#send(target, held.text, by);
      return routed.result === 'not_for_us' ? tellUnused(held.text) : routed;
    }
    return candidates.length === 0 ? tellUnused(held.text) : this.#hold(chatId, held.text, candidates);
  }

  #hold(chatId: string, text: string, candidates: readonly Interaction[], unused?: string): Routed {
    this.#held.set(chatId, { text, ids: candidates.map(({ id }) => id) });
    const lines = candidates.map((interaction, index) => `${index + 1}. ${describe(interaction)}`);
    const question = `Which one is ${quote(text)} for? Reply to its message, or send its number:`;
    return { result: 'held', reply: [...sayUnused(unused), question, ...lines].join('\n') };
  }

  async #send(interaction: Interaction, text: string, by: Answerer, unused?: string): Promise<Routed> {
    const answer = toTextAnswer(interaction, text);
    if (answer === null) return { result: 'not_for_us' };
    const { result } = await this.#beckon.answer(interaction.id, answer, by);
    if (result !== 'accepted' && result !== 'repeated') return { result: 'not_for_us' };
    return { result: 'routed', reply: [RESPONSE_RECEIVED, ...sayUnused(unused)].join('\n') };
  }
}

function tellUnused(text: string): Routed {
  return { result: 'held', reply: `That is no longer open. ${sayUnused(text).join('')}` };
}

function sayUnused(text: string | undefined): string[] {
  return text === undefined ? [] : [`Your earlier text was not used: ${quote(text)}`];
}

function quote(text: string): string {
  return JSON.stringify(toVisibleLine(text, 200));
}
