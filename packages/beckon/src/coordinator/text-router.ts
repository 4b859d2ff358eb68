import type { Beckon } from '../core/beckon.ts';
import { RecentTexts, type Said } from '../core/recent-texts.ts';
import { routeText, toTextAnswer } from '../core/route-text.ts';
import { toLowestSteps } from '../core/steps.ts';
import { ALLOW_ANYWAY } from '../core/words.ts';
import { explainDanger } from '../presentation/describe-risk.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Answerer, Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { isDangerous } from '../risk/is-dangerous.ts';
import { describe } from './describe.ts';

/** What the person hears when their text answered something. */
export const RESPONSE_RECEIVED = 'Response received.';

/** How long a text waits for the number of its target. Nobody remembers a list for longer. */
const HELD_MS = 10 * 60_000;
/** Nobody reads a list and sends a number from it sooner. */
const READING_MS = 500;
const WORDLESS = 'cannot be answered by a text';

/**
 * What became of a text. `routed`: it answered a request. `held`: it did not, and `reply` asks the person which one
 * they meant or says why. `not_for_us`: it has nothing to do with what is pending.
 */
export type Routed = { result: 'routed' | 'held'; reply: string } | { result: 'not_for_us' };

/** Settings of a router. */
export interface TextRouterOptions {
  /** Whether the people who type can see an interaction. Default: they see everything that is pending. */
  isSeen?: (id: string) => boolean;
  /** The time in milliseconds. Default: the system's. */
  now?: () => number;
}

/** What the connector knows about a text. */
export interface TextOrigin {
  /** The interaction whose message the text replies to, if the connector knows replies. */
  replyTo?: string | undefined;
  /** Whether its author can have read the last reply. Default: if that was more than a moment ago. */
  hasRead?: boolean | undefined;
}

/** A text whose target is not clear, and what the offered numbers stand for. */
interface Held {
  text: string;
  ids: string[];
  at: number;
}

/** A text that has just arrived. */
interface Arrival {
  said: Said;
  by: Answerer;
  /** What its author can see, oldest first. */
  seen: readonly Interaction[];
}

/**
 * Finds the interaction that a text typed in a chat answers, by the rules of `routeText`. If it could be several, the
 * router holds the text and asks which; a number in the same person's next text chooses. The number counts only for the
 * list that they read: if that has changed, is too old, or cannot have been read yet, nothing is sent. What is
 * dangerous is not allowed by a plain yes. It never guesses, and the person hears of every text that was not used.
 */
export class TextRouter {
  readonly #beckon: Beckon;
  readonly #isSeen: (id: string) => boolean;
  readonly #now: () => number;
  readonly #recent = new RecentTexts();
  /** By chat and person, so one person's number cannot send another's words. */
  readonly #held = new Map<string, Held>();

  constructor(beckon: Beckon, { isSeen = () => true, now = Date.now }: TextRouterOptions = {}) {
    this.#beckon = beckon;
    this.#isSeen = isSeen;
    this.#now = now;
  }

  async route(chatId: string, text: string, by: Answerer, origin: TextOrigin = {}): Promise<Routed> {
    const page = await this.#beckon.list({ chatId, status: 'pending', limit: LIMITS.pageItems });
    // A chat shows the steps of a call in turn.
    const items = toLowestSteps(page.items);
    const seen = items.filter(({ id }) => this.#isSeen(id)).toReversed();
    const arrival = { said: { chatId, text, who: by.who }, by, seen };
    if (origin.replyTo !== undefined) return this.#reply(arrival, origin.replyTo);
    const key = JSON.stringify([chatId, by.via, by.who]);
    const held = this.#held.get(key);
    if (held !== undefined && this.#isFresh(held) && /^\s*\d{1,3}\s*$/.test(text)) {
      const hasRead = origin.hasRead ?? this.#now() - held.at >= READING_MS;
      return hasRead ? this.#choose(key, held, arrival) : tellUnread(text.trim());
    }
    this.#held.delete(key);
    const route = routeText(seen, text, isDangerous);
    if (route.type === 'answers') {
      if (this.#recent.isRepeat(arrival.said, route.target, this.#now())) return tellRepeat(text);
      return this.#send(route.target, route.answer, arrival, held?.text);
    }
    if (route.type === 'dangerous') return tellDangerous(route.target, held?.text);
    if (route.type === 'unclear') return this.#hold(key, text, seen, sayUnused(held?.text));
    const isUnseen = items.some(
      (interaction) => !seen.includes(interaction) && toTextAnswer(interaction, text, isDangerous) !== null,
    );
    return isUnseen ? tellUnseen(text) : { result: 'not_for_us' };
  }

  async #reply(arrival: Arrival, replyTo: string): Promise<Routed> {
    const { text } = arrival.said;
    const target = arrival.seen.find(({ id }) => id === replyTo);
    if (target === undefined) return tellUnused(text);
    const answer = toTextAnswer(target, text, isDangerous);
    if (answer === 'dangerous') return tellDangerous(target);
    return answer === null ? tellWordless() : this.#send(target, answer, arrival);
  }

  async #choose(key: string, held: Held, arrival: Arrival): Promise<Routed> {
    const number = arrival.said.text.trim();
    this.#held.delete(key);
    if (arrival.seen.length === 0) return tellUnused(held.text);
    if (!isOffered(held, arrival.seen)) return tellChanged(held.text, number);
    const target = arrival.seen[Number(number) - 1];
    if (target === undefined) return this.#hold(key, held.text, arrival.seen, [`There is no number ${number}.`]);
    const answer = toTextAnswer(target, held.text, isDangerous);
    if (answer === 'dangerous') return tellDangerous(target, held.text);
    if (answer === null) return this.#hold(key, held.text, arrival.seen, [`Number ${number} ${WORDLESS}.`]);
    // If the number is sent twice, it must not answer what is left.
    const forget = this.#recent.take(arrival.said, target.id, this.#now());
    try {
      const said = { ...arrival.said, text: held.text };
      const routed = await this.#send(target, answer, { ...arrival, said });
      return routed.result === 'not_for_us' ? tellUnused(held.text) : routed;
    } catch (error) {
      // The person is told to try again, which means to send the number.
      forget();
      this.#held.set(key, held);
      throw error;
    }
  }

  #hold(key: string, text: string, seen: readonly Interaction[], before: readonly string[]): Routed {
    for (const [other, held] of this.#held) if (!this.#isFresh(held)) this.#held.delete(other);
    this.#held.set(key, { text, ids: seen.map(({ id }) => id), at: this.#now() });
    const lines = seen.map((interaction, index) => {
      const note = toTextAnswer(interaction, text, isDangerous) === null ? ` (${WORDLESS})` : '';
      return `${index + 1}. ${describe(interaction)}${note}`;
    });
    const question = `Which one is ${quote(text)} for? Reply to its message, or send its number:`;
    return { result: 'held', reply: [...before, question, ...lines].join('\n') };
  }

  // Setting the clock back must not make a text fresh again.
  #isFresh({ at }: Held): boolean {
    const ageMs = this.#now() - at;
    return ageMs >= 0 && ageMs < HELD_MS;
  }

  async #send(target: Interaction, answer: AnswerInput, { said, by }: Arrival, unused?: string): Promise<Routed> {
    const forget = this.#recent.take(said, target.id, this.#now());
    try {
      const { result } = await this.#beckon.answer(target.id, answer, by);
      if (result === 'accepted' || result === 'repeated') {
        return { result: 'routed', reply: [RESPONSE_RECEIVED, ...sayUnused(unused)].join('\n') };
      }
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return { result: 'not_for_us' };
  }
}

/** Whether the numbers still mean the same, and a number is not wanted as feedback by now. */
function isOffered({ ids, text }: Held, seen: readonly Interaction[]): boolean {
  return (
    routeText(seen, text, isDangerous).type === 'unclear' &&
    seen.length === ids.length &&
    seen.every(({ id }, index) => id === ids[index])
  );
}

function tellUnused(text: string): Routed {
  return { result: 'held', reply: `That is no longer open. ${sayUnused(text).join('')}` };
}

function tellDangerous(target: Interaction, unused?: string): Routed {
  const why = explainDanger(assessRisk(target), ALLOW_ANYWAY);
  return { result: 'held', reply: [why, ...sayUnused(unused)].join('\n') };
}

function tellWordless(): Routed {
  return { result: 'held', reply: `This ${WORDLESS}.` };
}

// The held text is not offered again: somebody who meant the number as an answer might send it twice, and so send that
// text.
function tellChanged(text: string, number: string): Routed {
  const why = `What is open here has changed, so the number ${number} was not used. Please send your answer again.`;
  return { result: 'held', reply: [why, ...sayUnused(text)].join('\n') };
}

// The text stays held, so the number can be sent again.
function tellUnread(number: string): Routed {
  const why = `The number ${number} came before you could read the list, so it was not used.`;
  return { result: 'held', reply: `${why} Please send the number again.` };
}

function tellRepeat(text: string): Routed {
  const why = `You sent ${quote(text)} a moment ago and it was used then, so this one was not.`;
  return { result: 'held', reply: `${why} Reply to the message that you mean, or send it again in a moment.` };
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
