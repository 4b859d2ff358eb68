import type { Beckon } from '../core/beckon.ts';
import { pickTextTarget, toTextAnswer } from '../core/route-text.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { Answerer, Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { describe } from './describe.ts';

/** What the person hears when their text answered something. */
export const RESPONSE_RECEIVED = 'Response received.';

/** How long a text waits for the number of its target. Later nobody remembers what the numbers meant. */
const HELD_MS = 10 * 60_000;

/**
 * What became of a text. `routed`: it answered something. `held`: it did not, and `reply` asks or tells the person why. `not_for_us`: it
 * has nothing to do with what is pending.
 */
export type Routed = { result: 'routed' | 'held'; reply: string } | { result: 'not_for_us' };

/** What a router may be told. */
export interface TextRouterOptions {
  /** Whether the people who type have an interaction in front of them. Default: they see everything that is pending. */
  isSeen?: (id: string) => boolean;
  /** The time in milliseconds. Default: the system's. */
  now?: () => number;
}

/** A text whose target is not clear, and what the numbers mean that the person was offered. */
interface Held {
  text: string;
  ids: string[];
  at: number;
}

/**
 * Finds the interaction that a text typed in a chat answers. Where several could be meant it holds the text and asks which; the next
 * text of the same person, if it is a number, says it. The number counts for exactly the list that they read: where that has changed,
 * or was long ago, nothing is sent. Nothing is guessed, and nothing is swallowed: the person hears of every text that was not used.
 */
export class TextRouter {
  readonly #beckon: Beckon;
  readonly #isSeen: (id: string) => boolean;
  readonly #now: () => number;
  /** By chat and person: a number of one must not send the words of another. */
  readonly #held = new Map<string, Held>();

  constructor(beckon: Beckon, { isSeen = () => true, now = Date.now }: TextRouterOptions = {}) {
    this.#beckon = beckon;
    this.#isSeen = isSeen;
    this.#now = now;
  }

  /** `replyTo` is the interaction whose message the text replies to, where the place knows replies. */
  async route(chatId: string, text: string, by: Answerer, replyTo?: string): Promise<Routed> {
    const { items } = await this.#beckon.list({ chatId, status: 'pending', limit: LIMITS.pageItems });
    // In the order in which they were asked.
    const open = items.filter((interaction) => toTextAnswer(interaction, text) !== null).toReversed();
    const candidates = open.filter(({ id }) => this.#isSeen(id));
    if (replyTo !== undefined) {
      const target = candidates.find(({ id }) => id === replyTo);
      return target === undefined ? tellUnused(text) : this.#send(target, text, by);
    }
    const key = JSON.stringify([chatId, by.via, by.who]);
    const held = this.#held.get(key);
    if (held !== undefined && this.#isFresh(held) && /^\s*\d{1,3}\s*$/.test(text)) {
      return this.#choose(key, held, text.trim(), candidates, by);
    }
    this.#held.delete(key);
    const target = pickTextTarget(candidates);
    if (target !== null) return this.#send(target, text, by, held?.text);
    if (candidates.length > 0) return this.#hold(key, text, candidates, sayUnused(held?.text));
    return open.length > 0 ? tellUnseen(text) : { result: 'not_for_us' };
  }

  async #choose(
    key: string,
    held: Held,
    number: string,
    candidates: readonly Interaction[],
    by: Answerer,
  ): Promise<Routed> {
    this.#held.delete(key);
    if (candidates.length === 0) return tellUnused(held.text);
    if (!isOffered(held, candidates)) return tellChanged(held.text, number);
    const target = candidates[Number(number) - 1];
    if (target === undefined) return this.#hold(key, held.text, candidates, [`There is no number ${number} here.`]);
    try {
      const routed = await this.#send(target, held.text, by);
      return routed.result === 'not_for_us' ? tellUnused(held.text) : routed;
    } catch (error) {
      // The person is told to try again, and that means the number.
      this.#held.set(key, held);
      throw error;
    }
  }

  #hold(key: string, text: string, candidates: readonly Interaction[], before: readonly string[]): Routed {
    for (const [other, held] of this.#held) if (!this.#isFresh(held)) this.#held.delete(other);
    this.#held.set(key, { text, ids: candidates.map(({ id }) => id), at: this.#now() });
    const lines = candidates.map((interaction, index) => `${index + 1}. ${describe(interaction)}`);
    const question = `Which one is ${quote(text)} for? Reply to its message, or send its number:`;
    return { result: 'held', reply: [...before, question, ...lines].join('\n') };
  }

  // A clock that was set back must not make a text young again.
  #isFresh({ at }: Held): boolean {
    const ageMs = this.#now() - at;
    return ageMs >= 0 && ageMs < HELD_MS;
  }

  async #send(interaction: Interaction, text: string, by: Answerer, unused?: string): Promise<Routed> {
    const answer = toTextAnswer(interaction, text);
    if (answer === null) return { result: 'not_for_us' };
    const { result } = await this.#beckon.answer(interaction.id, answer, by);
    if (result !== 'accepted' && result !== 'repeated') return { result: 'not_for_us' };
    return { result: 'routed', reply: [RESPONSE_RECEIVED, ...sayUnused(unused)].join('\n') };
  }
}

/** Whether the numbers mean what they meant, and a number is not wanted as feedback meanwhile. */
function isOffered({ ids }: Held, candidates: readonly Interaction[]): boolean {
  return (
    pickTextTarget(candidates) === null &&
    candidates.length === ids.length &&
    candidates.every(({ id }, index) => id === ids[index])
  );
}

function tellUnused(text: string): Routed {
  return { result: 'held', reply: `That is no longer open. ${sayUnused(text).join('')}` };
}

// The held text is not offered again: who meant the number as an answer might send it twice, and so send the other text.
function tellChanged(text: string, number: string): Routed {
  const why = `What is open here has changed, so the number ${number} was not used. Please send your answer again.`;
  return { result: 'held', reply: [why, ...sayUnused(text)].join('\n') };
}

function tellUnseen(text: string): Routed {
  const why = 'What is open may not have reached you yet, so this was not used';
  return { result: 'held', reply: `${why}: ${quote(text)}. Reply to its message, or send it again in a moment.` };
}

function sayUnused(text: string | undefined): string[] {
  return text === undefined ? [] : [`Your earlier text was not used: ${quote(text)}`];
}

function quote(text: string): string {
  return JSON.stringify(toVisibleLine(text, 200));
}
