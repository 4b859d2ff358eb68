import type { AnswerResult, Beckon } from 'beckon/client';
import type { AnswerInput } from 'beckon/protocol';
import { Store } from '../state/store.ts';
import type { Inbox } from './inbox.ts';

/** The state of an answer that was sent from this page. */
export type Sending =
  | { state: 'sending'; answer: AnswerInput }
  | { state: 'failed'; answer: AnswerInput; error: unknown }
  | { state: 'done'; answer: AnswerInput; result: AnswerResult };

/**
 * Sends answers, and remembers their state until the page is closed: somebody who opens another request meanwhile
 * finds a failure when they come back.
 */
export class Answers {
  readonly sendings = new Store<ReadonlyMap<string, Sending>>(new Map());
  readonly #beckon: Beckon;
  readonly #inbox: Inbox;
  readonly #underWay = new Map<string, Promise<AnswerResult>>();
  #manyUnderWay = 0;

  constructor({ beckon, inbox }: { beckon: Beckon; inbox: Inbox }) {
    this.#beckon = beckon;
    this.#inbox = inbox;
  }

  /**
   * The page's one guard against sending twice: while an answer is under way, every further call gets its result, and
   * `checkPress` is not asked. Rejects if `checkPress` throws, or if the answer is not known to have arrived.
   */
  async send(id: string, answer: AnswerInput, who: string, checkPress: () => void): Promise<AnswerResult> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    checkPress();
    const sending = this.#send(id, answer, who).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, sending);
    return sending;
  }

  /**
   * Gives several requests the same answer, in one commit. Each is judged by itself; the results are in order. Rejects
   * like `send`.
   */
  async sendMany(
    ids: readonly string[],
    answer: AnswerInput,
    who: string,
    checkPress: () => void,
  ): Promise<AnswerResult[]> {
    checkPress();
    this.#manyUnderWay += 1;
    try {
      const results = await this.#beckon.answerMany(ids, answer, { who, via: 'inbox' });
      for (const { interaction } of results) if (interaction !== null) this.#inbox.take(interaction);
      return results;
    } finally {
      this.#manyUnderWay -= 1;
    }
  }

  /** Whether leaving the page now could lose an answer. */
  get isSending(): boolean {
    return this.#underWay.size + this.#manyUnderWay > 0;
  }

  async #send(id: string, answer: AnswerInput, who: string): Promise<AnswerResult> {
    this.#set(id, { state: 'sending', answer });
    try {
      const result = await this.#beckon.answer(id, answer, { who, via: 'inbox' });
      this.#set(id, { state: 'done', answer, result });
      if (result.interaction !== null) this.#inbox.take(result.interaction);
      return result;
    } catch (error) {
      this.#set(id, { state: 'failed', answer, error });
      throw error;
    }
  }

  #set(id: string, sending: Sending): void {
    this.sendings.set(new Map(this.sendings.get()).set(id, sending));
  }
}
