import type { AnswerEntry, AnswerResult, Beckon, GroupResult } from 'beckon/client';
import type { AnswerInput } from 'beckon/protocol';
import { type Sending, type Sent, Store } from 'beckon/react/parts';
import type { Inbox } from './inbox.ts';
import { pause } from './pause.ts';

/** The state of the answers to the questions of one call, which are sent together. */
export type GroupSending = Sent<{ answers: readonly AnswerEntry[] }, GroupResult>;

/**
 * Sends answers, and remembers their state until the page is closed: somebody who opens another request meanwhile
 * finds a failure when they come back.
 */
export class Answers {
  readonly sendings = new Store<ReadonlyMap<string, Sending>>(new Map());
  /** By the id of the group. */
  readonly groupSendings = new Store<ReadonlyMap<string, GroupSending>>(new Map());
  readonly #beckon: Beckon;
  readonly #inbox: Inbox;
  readonly #underWay = new Map<string, Promise<AnswerResult>>();
  #manyUnderWay = 0;
  readonly #groupsUnderWay = new Map<string, Promise<GroupResult>>();

  constructor({ beckon, inbox }: { beckon: Beckon; inbox: Inbox }) {
    this.#beckon = beckon;
    this.#inbox = inbox;
  }

  /**
   * The page's one guard against sending twice: while an answer is under way, every further call gets its result, and
   * `checkPress` is not asked. Rejects if `checkPress` throws, or if the answer is not known to have arrived. `first`
   * is done between the two; if it fails, nothing is sent.
   */
  async send(
    id: string,
    answer: AnswerInput,
    who: string,
    checkPress: () => void,
    first?: () => Promise<void>,
  ): Promise<AnswerResult> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    checkPress();
    const sending = this.#send(id, answer, who, first).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, sending);
    return sending;
  }

  /** The same for the answers to the questions of one call: all of them count, or none. */
  async sendGroup(
    groupId: string,
    answers: readonly AnswerEntry[],
    who: string,
    checkPress: () => void,
  ): Promise<GroupResult> {
    const underWay = this.#groupsUnderWay.get(groupId);
    if (underWay !== undefined) return underWay;
    checkPress();
    const sending = this.#sendGroup(groupId, answers, who).finally(() => this.#groupsUnderWay.delete(groupId));
    this.#groupsUnderWay.set(groupId, sending);
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
    return this.#underWay.size + this.#groupsUnderWay.size + this.#manyUnderWay > 0;
  }

  async #send(id: string, answer: AnswerInput, who: string, first?: () => Promise<void>): Promise<AnswerResult> {
    const before = this.sendings.get().get(id);
    put(this.sendings, id, { state: 'sending', answer });
    try {
      await first?.();
    } catch (error) {
      put(this.sendings, id, before);
      throw error;
    }
    try {
      const result = await this.#beckon.answer(id, answer, { who, via: 'inbox' });
      put(this.sendings, id, { state: 'done', answer, result });
      if (result.interaction !== null) this.#inbox.take(result.interaction);
      return result;
    } catch (error) {
      put(this.sendings, id, { state: 'failed', answer, error });
      throw error;
    }
  }

  async #sendGroup(groupId: string, answers: readonly AnswerEntry[], who: string): Promise<GroupResult> {
    put(this.groupSendings, groupId, { state: 'sending', answers });
    try {
      const result = await this.#beckon.answerGroup(groupId, answers, { who, via: 'inbox' });
      for (const interaction of result.interactions) if (interaction !== null) this.#inbox.take(interaction);
      // The cache tells the list a tick later. If the page moved on before, one of these would be the next.
      await pause(0);
      put(this.groupSendings, groupId, { state: 'done', answers, result });
      return result;
    } catch (error) {
      put(this.groupSendings, groupId, { state: 'failed', answers, error });
      throw error;
    }
  }
}

function put<Value>(store: Store<ReadonlyMap<string, Value>>, id: string, value: Value | undefined): void {
  const next = new Map(store.get());
  if (value === undefined) next.delete(id);
  else next.set(id, value);
  store.set(next);
}
