import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { toReminder } from './describe.ts';
import { FEEDBACK_PROMPT } from './feedback-prompts.ts';
import { createInbound } from './inbound.ts';
import { MultiConnector } from './multi-connector.ts';
import { withinLimit } from './retries.ts';
import { TextRouter } from './text-router.ts';

/** The pause after a failure of Beckon. */
const RETRY_MS = 1000;
/** How long stopping waits for what is being shown and repainted. */
const STOP_MS = 5000;

/**
 * Runs a connector beside a Beckon that agents ask elsewhere: shows what is pending, then follows the log. After a restart it begins
 * anew, so a connector shows again, once, what is still pending. A failure of Beckon is reported, and then it begins anew as well.
 */
export async function runConnector(options: {
  beckon: Beckon;
  connector: Connector;
  onError: (error: unknown) => void;
}): Promise<{ stop(): Promise<void> }> {
  const { beckon, onError } = options;
  const connector = MultiConnector.of(options.connector, { beckon, onError });
  await connector.start(createInbound(beckon, new TextRouter(beckon)));
  const follower = new Follower(beckon, connector);
  const stopping = new AbortController();
  const following = follow();

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await follower.run(stopping.signal);
      } catch (error) {
        if (stopping.signal.aborted) return;
        onError(error);
        await pause(RETRY_MS, stopping.signal);
      }
    }
  }

  return {
    async stop() {
      stopping.abort();
      await following;
      await withinLimit(STOP_MS, follower.finish()).catch(onError);
      await connector.stop();
    },
  };
}

/** Brings the connector to where Beckon is, and keeps it there. */
class Follower {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  /** What was shown and is not settled. */
  readonly #shown = new Set<string>();
  /** Those of them for which the person was asked for feedback. */
  readonly #prompted = new Set<string>();
  /** What is under way in each chat. A chat sees things in their order, and a slow one does not hold up the others. */
  readonly #lanes = new Map<string, Promise<void>>();

  constructor(beckon: Beckon, connector: MultiConnector) {
    this.#beckon = beckon;
    this.#connector = connector;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { pending, lastSeq } = await this.#listPending();
    const ids = new Set(pending.map(({ id }) => id));
    for (const id of new Set([...this.#shown, ...this.#connector.listOpen()])) {
      if (!ids.has(id)) this.#settle(await this.#beckon.get(id));
    }
    for (const interaction of pending.toReversed()) this.#show(interaction);
    // Nothing falls between the two. What the list has already may come again, and changes nothing then.
    for await (const event of this.#beckon.events({ after: lastSeq, signal })) await this.#take(event);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#lanes.values());
  }

  async #take(event: LogEvent): Promise<void> {
    if (!('interactionId' in event) || !this.#connector.reaches(event.chatId)) return;
    switch (event.type) {
      case 'interaction.requested':
        return this.#show(await this.#beckon.get(event.interactionId));
      case 'interaction.feedback_requested':
        return this.#askForFeedback(await this.#beckon.get(event.interactionId));
      case 'interaction.reminded': {
        const interaction = await this.#beckon.get(event.interactionId);
        if (interaction?.status === 'pending') this.#prompt(event.chatId, toReminder(interaction));
        return;
      }
      case 'interaction.answered':
      case 'interaction.expired':
      case 'interaction.cancelled':
      case 'interaction.superseded':
        if (this.#shown.has(event.interactionId)) this.#settle(await this.#beckon.get(event.interactionId));
        return;
      default:
    }
  }

  #show(interaction: Interaction | null): void {
    if (interaction?.status !== 'pending' || !this.#connector.reaches(interaction.chatId)) return;
    const { id, chatId } = interaction;
    if (!this.#shown.has(id)) {
      this.#shown.add(id);
      // That nobody could be reached is in the log; it stays pending.
      this.#inLane(chatId, () => this.#connector.show(interaction).catch(() => undefined));
    }
    this.#askForFeedback(interaction);
  }

  #askForFeedback(interaction: Interaction | null): void {
    if (interaction?.status !== 'pending' || !interaction.awaitingFeedback) return;
    const { id, chatId } = interaction;
    if (!this.#shown.has(id) || this.#prompted.has(id)) return;
    this.#prompted.add(id);
    // The copies must know it too: from here on a text for this plan is feedback, whatever it says.
    this.#inLane(chatId, () => this.#connector.repaint(interaction));
    this.#prompt(chatId, FEEDBACK_PROMPT);
  }

  #settle(interaction: Interaction | null): void {
    if (interaction === null || interaction.status === 'pending') return;
    this.#shown.delete(interaction.id);
    this.#prompted.delete(interaction.id);
    this.#inLane(interaction.chatId, () => this.#connector.settle(interaction));
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
