import type { AnswerResult, Beckon } from 'beckon/client';
import type { AnswerInput } from 'beckon/protocol';
import type { Inbox } from './inbox.ts';
import { Store } from './store.ts';

/** What became of an answer that was sent from this page. */
export type Sending =
  | { state: 'sending'; answer: AnswerInput }
  | { state: 'failed'; answer: AnswerInput; error: unknown }
  | { state: 'done'; answer: AnswerInput; result: AnswerResult };

/**
 * Sends answers, one at a time for each interaction, and remembers what became of them until the page is left: somebody who opens
 * another interaction meanwhile finds the failure when they come back.
 */
export class Answers {
  readonly sendings = new Store<ReadonlyMap<string, Sending>>(new Map());
  readonly #beckon: Beckon;
  readonly #inbox: Inbox;
  readonly #underWay = new Map<string, Promise<AnswerResult>>();

  constructor({ beckon, inbox }: { beckon: Beckon; inbox: Inbox }) {
    this.#beckon = beckon;
    this.#inbox = inbox;
  }

  /** While one is under way, a second call gets the result of the first. Rejects where it is not known to have arrived. */
  send(id: string, answer: AnswerInput, who: string): Promise<AnswerResult> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const sending = this.#send(id, answer, who).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, sending);
    return sending;
  }

  /** Whether leaving the page now could lose an answer. */
  get isSending(): boolean {
    return this.#underWay.size > 0;
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
