import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { toReminder } from './describe.ts';
import { FEEDBACK_PROMPT } from './feedback-prompts.ts';
import type { MultiConnector } from './multi-connector.ts';
import { toPauseMs } from './retries.ts';

/** Brings the connector to where Beckon is, and keeps it there until the signal aborts. */
export class Follower {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  readonly #signal: AbortSignal;
  /** What was offered to the connector and is not settled, as last heard of. */
  readonly #open = new Map<string, Interaction>();
  /** Those of them that were shown. */
  readonly #shown = new Set<string>();
  /** Those of them for which the person was asked for feedback. */
  readonly #prompted = new Set<string>();
  /** Those of them that could not be shown everywhere, until they are tried again. */
  readonly #retries = new Map<string, NodeJS.Timeout>();
  /** What is under way in each chat. A chat sees things in their order, and a slow one does not hold up the others. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(beckon: Beckon, connector: MultiConnector, signal: AbortSignal) {
    this.#beckon = beckon;
    this.#connector = connector;
    this.#signal = signal;
  }

  /** Shows what is pending and follows the log. Rejects where Beckon fails; it can be run again then. */
  async run(): Promise<void> {
    const { pending, lastSeq } = await this.#listPending();
    const ids = new Set(pending.map(({ id }) => id));
    for (const id of new Set([...this.#open.keys(), ...this.#connector.listOpen()])) {
      if (!ids.has(id)) this.#settle(await this.#beckon.get(id));
    }
    for (const interaction of pending.toReversed()) this.#show(interaction);
    // Nothing falls between the two. What the list has already may come again, and changes nothing then.
    const events = this.#beckon.events({ after: lastSeq, signal: this.#signal });
    for await (const event of events) await this.#take(event);
  }

  /** Whether an interaction is pending and can be seen. */
  hasShown(id: string): boolean {
    return this.#shown.has(id);
  }

  /** Tries nothing again, and resolves when nothing is under way. */
  async finish(): Promise<void> {
    for (const timer of this.#retries.values()) clearTimeout(timer);
    this.#retries.clear();
    await Promise.all(this.#lanes.values());
  }

  async #take(event: LogEvent): Promise<void> {
    if (!('interactionId' in event) || !this.#connector.reaches(event.chatId)) return;
    switch (event.type) {
      case 'interaction.requested':
      case 'interaction.feedback_requested':
        return this.#show(await this.#beckon.get(event.interactionId));
      case 'interaction.reminded': {
        const interaction = await this.#beckon.get(event.interactionId);
        if (interaction?.status === 'pending') this.#prompt(event.chatId, toReminder(interaction));
        return;
      }
      case 'interaction.answered':
      case 'interaction.expired':
      case 'interaction.cancelled':
      case 'interaction.superseded':
        if (this.#open.has(event.interactionId)) this.#settle(await this.#beckon.get(event.interactionId));
        return;
      default:
    }
  }

  #show(interaction: Interaction | null): void {
    if (interaction?.status !== 'pending' || !this.#connector.reaches(interaction.chatId)) return;
    const { id, chatId, awaitingFeedback } = interaction;
    const isNew = !this.#open.has(id);
    this.#open.set(id, interaction);
    if (isNew) this.#inLane(chatId, () => this.#offer(interaction, 0));
    else if (awaitingFeedback) this.#inLane(chatId, () => this.#askForFeedback(id));
  }

  /** `missed` are those that could not show it before, so many times. That nobody could be reached is in the log; it stays pending. */
  async #offer(interaction: Interaction, failures: number, missed?: readonly Connector[]): Promise<void> {
    const { id } = interaction;
    const offered = await this.#connector.offer(interaction, missed);
    if (!this.#open.has(id)) return;
    if (offered.isShown) this.#shown.add(id);
    if (offered.missed.length > 0) this.#tryAgain(id, failures + 1, offered.missed);
    await this.#askForFeedback(id);
  }

  #tryAgain(id: string, failures: number, missed: readonly Connector[]): void {
    if (this.#signal.aborted) return;
    const offer = async (): Promise<void> => {
      const interaction = this.#open.get(id);
      if (interaction !== undefined) await this.#offer(interaction, failures, missed);
    };
    const timer = setTimeout(() => {
      this.#retries.delete(id);
      const interaction = this.#open.get(id);
      if (interaction !== undefined) this.#inLane(interaction.chatId, offer);
    }, toPauseMs(failures));
    this.#retries.set(id, timer);
  }

  /** Asks once, as soon as the plan can be seen. */
  async #askForFeedback(id: string): Promise<void> {
    const interaction = this.#open.get(id);
    if (!interaction?.awaitingFeedback || !this.#shown.has(id) || this.#prompted.has(id)) return;
    this.#prompted.add(id);
    // The copies must know it too: from here on a text for this plan is feedback, whatever it says.
    await this.#connector.repaint(interaction);
    await this.#connector.prompt(interaction.chatId, FEEDBACK_PROMPT);
  }

  #settle(interaction: Interaction | null): void {
    if (interaction === null || interaction.status === 'pending') return;
    const { id, chatId } = interaction;
    this.#open.delete(id);
    this.#shown.delete(id);
    this.#prompted.delete(id);
    clearTimeout(this.#retries.get(id));
    this.#retries.delete(id);
    this.#inLane(chatId, () => this.#connector.settle(interaction));
  }

  #prompt(chatId: string, text: string): void {
    this.#inLane(chatId, () => this.#connector.prompt(chatId, text));
  }

  #inLane(chatId: string, work: () => Promise<void>): void {
    const lane = (this.#lanes.get(chatId) ?? Promise.resolve()).then(work).finally(() => {
      if (this.#lanes.get(chatId) === lane) this.#lanes.delete(chatId);
    });
    this.#lanes.set(chatId, lane);
  }

  /** Everything that is pending, and the number of the last event before the first of it was read. */
  async #listPending(): Promise<{ pending: Interaction[]; lastSeq: number }> {
    const filter = { status: 'pending', limit: LIMITS.pageItems } as const;
    let page = await this.#beckon.list(filter);
    const { items: pending, lastSeq } = page;
    while (page.next !== undefined) {
      page = await this.#beckon.list({ ...filter, after: page.next });
      pending.push(...page.items);
    }
    return { pending, lastSeq };
  }
}
