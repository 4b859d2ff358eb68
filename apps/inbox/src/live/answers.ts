import type { AnswerEntry, AnswerResult, Beckon, GroupResult } from 'beckon/client';
import type { AnswerInput } from 'beckon/protocol';
import { type AnswerSender, type GroupSender, Sender } from 'beckon/react/parts';
import type { Inbox } from './inbox.ts';
import { pause } from './pause.ts';

/** Where the answers of this page go. The senders ask the guard and keep the state until the page is closed. */
export class Answers {
  readonly sender: AnswerSender = new Sender();
  readonly groupSender: GroupSender = new Sender();
  readonly #beckon: Beckon;
  readonly #inbox: Inbox;
  #manyUnderWay = 0;

  constructor({ beckon, inbox }: { beckon: Beckon; inbox: Inbox }) {
    this.#beckon = beckon;
    this.#inbox = inbox;
  }

  /** Only for `sender`. */
  async post(id: string, answer: AnswerInput, who: string): Promise<AnswerResult> {
    const result = await this.#beckon.answer(id, answer, { who, via: 'inbox' });
    if (result.interaction !== null) this.#inbox.take(result.interaction);
    return result;
  }

  /** Only for `groupSender`: all answers count, or none. */
  async postGroup(groupId: string, answers: readonly AnswerEntry[], who: string): Promise<GroupResult> {
    const result = await this.#beckon.answerGroup(groupId, answers, { who, via: 'inbox' });
    for (const interaction of result.interactions) if (interaction !== null) this.#inbox.take(interaction);
    // The cache tells the list a tick later. If the page moved on before, one of these would be the next.
    await pause(0);
    return result;
  }

  /**
   * Gives several requests the same answer, in one commit. Each is judged by itself; the results are in order. Rejects
   * if `checkPress` throws, or if the answer is not known to have arrived.
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
    return this.sender.isSending || this.groupSender.isSending || this.#manyUnderWay > 0;
  }
}
