import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { toCallKey } from '../protocol/steps.ts';
import { toReminder } from './describe.ts';
import { FeedbackPrompts } from './feedback-prompts.ts';
import type { MultiConnector, Offered } from './multi-connector.ts';
import { toPauseMs } from './retries.ts';

/** Keeps a connector in step with Beckon until the signal aborts. The steps of a call are shown in turn. */
export class Follower {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  readonly #signal: AbortSignal;
  /** What the connector is to show and is pending, as last read. */
  readonly #open = new Map<string, Interaction>();
  /** Those of them that were offered to it, and those that were shown. */
  readonly #offered = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #prompts: FeedbackPrompts;
  /** Timers for what could not be shown, or closed, everywhere. */
  readonly #retries = new Map<string, NodeJS.Timeout>();
  /** Work under way per chat. A chat sees things in order, and a slow one does not hold up the others. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(beckon: Beckon, connector: MultiConnector, signal: AbortSignal) {
    this.#beckon = beckon;
    this.#connector = connector;
    this.#prompts = new FeedbackPrompts(connector);
    this.#signal = signal;
  }

  /** Shows what is pending and follows the log. Rejects if Beckon fails, and can be run again then. */
  async run(): Promise<void> {
    const { pending, lastSeq } = await this.#listPending();
    const ids = new Set(pending.map(({ id }) => id));
    for (const id of new Set([...this.#open.keys(), ...this.#connector.listOpen()])) {
      if (!ids.has(id)) this.#settle(await this.#beckon.get(id));
    }
    for (const interaction of pending.toReversed()) this.#show(interaction);
    // No gap between list and log. What the list already has may come again, which changes nothing.
    const events = this.#beckon.events({ after: lastSeq, signal: this.#signal });
    for await (const event of events) await this.#take(event);
  }

  /** Whether an interaction is pending and people can see it. */
  hasShown(id: string): boolean {
    return this.#shown.has(id);
  }

  /** Stops retrying, and resolves when nothing is under way. */
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
        if (interaction?.status === 'pending') this.#prompt(interaction, toReminder(interaction));
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
    else this.#inLane(chatId, () => this.#advance(interaction));
  }

  /** `missed` are the connectors that could not show it in `failures` rounds before. */
  async #offer(interaction: Interaction, failures: number, missed?: readonly Connector[]): Promise<void> {
    const { id } = interaction;
    if (!this.#open.has(id)) return;
    this.#offered.add(id);
    await this.#keep(id, failures, await this.#connector.offer(interaction, missed));
  }

  /** Shows the step of a call whose turn it is. One that was not offered yet is in the lane already. */
  async #advance(interaction: Interaction): Promise<void> {
    if (toCallKey(interaction) === null) return;
    const next = await this.#connector.findNext(interaction);
    if (next === null || !this.#offered.has(next.id)) return;
    await this.#keep(next.id, 0, await this.#connector.offerNext(next));
  }

  async #keep(id: string, failures: number, offered: Offered): Promise<void> {
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
    clearTimeout(this.#retries.get(id));
    this.#retries.set(id, timer);
  }

  /** Asks as soon as the plan can be seen. */
  async #askForFeedback(id: string): Promise<void> {
    const interaction = this.#open.get(id);
    if (interaction !== undefined && this.#shown.has(id)) await this.#prompts.ask(interaction);
  }

  #settle(interaction: Interaction | null): void {
    if (interaction === null || interaction.status === 'pending') return;
    const { id, chatId } = interaction;
    this.#open.delete(id);
    this.#offered.delete(id);
    this.#shown.delete(id);
    this.#prompts.forget(id);
    clearTimeout(this.#retries.get(id));
    this.#retries.delete(id);
    this.#inLane(chatId, () => this.#close(interaction, 0));
    this.#inLane(chatId, () => this.#advance(interaction));
  }

  /** Closes every delivery. `missed` are the connectors that could not in `failures` rounds before. */
  async #close(interaction: Interaction, failures: number, missed?: readonly Connector[]): Promise<void> {
    const { id, chatId } = interaction;
    const left = await this.#connector.close(interaction, missed);
    if (left.length === 0 || this.#signal.aborted) return;
    const timer = setTimeout(
      () => {
        this.#retries.delete(id);
        this.#inLane(chatId, () => this.#close(interaction, failures + 1, left));
      },
      toPauseMs(failures + 1),
    );
    this.#retries.set(id, timer);
  }

  #prompt({ chatId, id }: Interaction, text: string): void {
    this.#inLane(chatId, () => this.#connector.prompt(chatId, text, id));
  }

  #inLane(chatId: string, work: () => Promise<void>): void {
    const lane = (this.#lanes.get(chatId) ?? Promise.resolve()).then(work).finally(() => {
      if (this.#lanes.get(chatId) === lane) this.#lanes.delete(chatId);
    });
    this.#lanes.set(chatId, lane);
  }

  /** Everything that is pending, and the number of the last event before it was read. */
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
