import type { Beckon } from '../core/beckon.ts';
import type { Connector, Inbound } from '../core/connector.ts';
import { isBefore, isFirstStep, toStepsOf } from '../core/steps.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Note } from '../protocol/note.ts';
import { toCallKey } from '../protocol/steps.ts';
import { DeliveryNotes } from './delivery-notes.ts';
import { withinLimit, withRetries } from './retries.ts';

/**
 * The longest that a connector may take for one call, retries included, so an agent hears within seconds that nobody
 * was reached.
 */
const LIMIT_MS = 4000;
/** How many characters of an error the log keeps. */
const ERROR_CHARS = 1000;

/** Settings of several connectors as one. */
export interface MultiConnectorOptions {
  beckon: Beckon;
  connectors: readonly Connector[];
  /** Hears of every failure of a connector. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Where an interaction was shown. Later steps of a call are neither shown nor missed where steps are shown in turn. */
export interface Offered {
  /** Whether anybody can see it from now on. */
  isShown: boolean;
  /** The connectors that could not show it. */
  missed: readonly Connector[];
}

/**
 * Several connectors as one. Each interaction goes to all that reach its chat; the first answer wins and the other
 * deliveries are closed. A connector that fails or hangs is logged as `interaction.undeliverable`.
 */
export class MultiConnector implements Connector {
  readonly name = 'all connectors';
  readonly #beckon: Beckon;
  readonly #connectors: readonly Connector[];
  readonly #onError: (error: unknown) => void;
  readonly #delivered: DeliveryNotes;
  /** The step of each call that is shown where steps are shown in turn. */
  readonly #inTurn = new Map<string, string>();

  /** Returns a `MultiConnector` as it is, so nothing is tried or logged twice. */
  static of(connector: Connector, options: Omit<MultiConnectorOptions, 'connectors'>): MultiConnector {
    return connector instanceof MultiConnector
      ? connector
      : new MultiConnector({ ...options, connectors: [connector] });
  }

  constructor(options: MultiConnectorOptions) {
    this.#beckon = options.beckon;
    this.#connectors = options.connectors;
    this.#onError = options.onError ?? (() => undefined);
    this.#delivered = new DeliveryNotes(options.beckon, this.#onError);
  }

  reaches(chatId: string): boolean {
    return this.#connectors.some((connector) => connector.reaches(chatId));
  }

  /** Rejects if none could be started. */
  async start(inbound: Inbound): Promise<void> {
    const starts = this.#connectors.map((connector) => connector.start(withName(inbound, connector.name)));
    const failed = (await Promise.allSettled(starts)).filter((start) => start.status === 'rejected');
    for (const { reason } of failed) this.#onError(reason);
    if (failed.length > 0 && failed.length === starts.length) throw failed[0]?.reason;
  }

  /** Rejects with `undeliverable` if no connector could show it. */
  async show(interaction: Interaction): Promise<void> {
    await this.#assertShown(interaction, await this.offer(interaction));
  }

  /** Shows the open step that comes next, after one was settled. Rejects with `undeliverable` if it cannot be shown. */
  async showNext(settled: Interaction): Promise<void> {
    const next = await this.findNext(settled);
    if (next !== null) await this.#assertShown(next, await this.offerNext(next));
  }

  /** Shows it wherever it can be shown, or tries those again that `missed` it, which is not logged a second time. */
  async offer(interaction: Interaction, missed?: readonly Connector[]): Promise<Offered> {
    const connectors = missed ?? this.#reaching(interaction.chatId);
    const isFirst = missed === undefined;
    const key = toCallKey(interaction);
    if (key === null) return this.#showWithAll(connectors, interaction, isFirst);
    // The first one is shown at once, as everything that stands alone.
    const steps = isFirstStep(interaction) ? [interaction] : await this.#listSteps(interaction);
    if (steps === null) return { isShown: false, missed: connectors };
    const earlier = steps.filter((step) => isBefore(step, interaction));
    const isOpen = steps.some(({ id, status }) => id === interaction.id && status === 'pending');
    // The steps of a call may have ended together meanwhile.
    if (!isOpen) return { isShown: false, missed: [] };
    if (earlier.some(({ status }) => status === 'pending'))
      return this.#showWithAll(connectors.filter(showsGroups), interaction, isFirst);
    this.#inTurn.set(key, interaction.id);
    return this.#showWithAll(connectors, interaction, isFirst, earlier);
  }

  /** Shows a step whose turn it is where steps are shown in turn. */
  async offerNext(next: Interaction): Promise<Offered> {
    const connectors = this.#reaching(next.chatId).filter((connector) => !showsGroups(connector));
    const steps = await this.#listSteps(next);
    if (steps === null) return { isShown: false, missed: connectors };
    this.#inTurn.set(toCallKey(next) ?? '', next.id);
    return this.#showWithAll(
      connectors,
      next,
      true,
      steps.filter((step) => isBefore(step, next)),
    );
  }

  /** The step of a call whose turn it is, unless that is shown already. */
  async findNext(interaction: Interaction): Promise<Interaction | null> {
    const key = toCallKey(interaction);
    if (key === null || this.#reaching(interaction.chatId).every(showsGroups)) return null;
    const next = (await this.#listSteps(interaction))?.find(({ status }) => status === 'pending');
    if (next === undefined) this.#inTurn.delete(key);
    return next === undefined || this.#inTurn.get(key) === next.id ? null : next;
  }

  listOpen(): readonly string[] {
    return this.#connectors.flatMap((connector) => connector.listOpen?.() ?? []);
  }

  /** Shows every delivery again, because what it shows has changed. */
  async repaint(interaction: Interaction): Promise<void> {
    await this.#each(this.#reaching(interaction.chatId), (connector) => connector.show(interaction));
  }

  async settle(interaction: Interaction): Promise<void> {
    await this.close(interaction);
  }

  /** Closes every delivery, or those of the connectors that `missed` it. Returns the connectors that could not. */
  async close(interaction: Interaction, missed?: readonly Connector[]): Promise<readonly Connector[]> {
    this.#delivered.drop(interaction.id);
    return this.#each(missed ?? this.#reaching(interaction.chatId), (connector) => connector.settle(interaction));
  }

  async prompt(chatId: string, text: string, about?: string): Promise<void> {
    await this.#each(this.#reaching(chatId), (connector) => connector.prompt(chatId, text, about));
  }

  async stop(): Promise<void> {
    await this.#delivered.write();
    await Promise.all(this.#connectors.map((connector) => connector.stop().catch(this.#onError)));
  }

  #reaching(chatId: string): readonly Connector[] {
    const isReaching = (connector: Connector): boolean => connector.reaches(chatId);
    return this.#connectors.every(isReaching) ? this.#connectors : this.#connectors.filter(isReaching);
  }

  async #assertShown(interaction: Interaction, { isShown, missed }: Offered): Promise<void> {
    if (isShown) return;
    if (missed.length > 0) {
      const names = missed.map(({ name }) => name).join(', ');
      throw new BeckonError('undeliverable', `It could not be shown by ${names}; the log says why.`);
    }
    // A later step of a call is shown when its turn comes.
    if (this.reaches(interaction.chatId)) return;
    const error = `No connector reaches the chat ${JSON.stringify(interaction.chatId)}.`;
    await this.#note(interaction, { type: 'undeliverable', connector: this.name, error });
    throw new BeckonError('undeliverable', error);
  }

  async #showWithAll(
    connectors: readonly Connector[],
    interaction: Interaction,
    isFirst: boolean,
    earlier?: readonly Interaction[],
  ): Promise<Offered> {
    const [only] = connectors;
    if (only !== undefined && connectors.length === 1) {
      const isShown = await this.#showWith(only, interaction, isFirst, earlier);
      return { isShown, missed: isShown ? [] : connectors };
    }
    const shown = await Promise.all(
      connectors.map((connector) => this.#showWith(connector, interaction, isFirst, earlier)),
    );
    return { isShown: shown.includes(true), missed: connectors.filter((_, index) => shown[index] === false) };
  }

  async #showWith(
    connector: Connector,
    interaction: Interaction,
    isFirst: boolean,
    earlier?: readonly Interaction[],
  ): Promise<boolean> {
    try {
      await (isFirst ? withRetries : withinLimit)(LIMIT_MS, () => connector.show(interaction, earlier));
    } catch (error) {
      this.#onError(error);
      if (!isFirst) return false;
      const text = error instanceof Error ? error.message : String(error);
      await this.#note(interaction, {
        type: 'undeliverable',
        connector: connector.name,
        error: text.slice(0, ERROR_CHARS),
      });
      return false;
    }
    this.#delivered.add(interaction.id, connector.name);
    return true;
  }

  // A delivery that cannot be updated is stale, not wrong: an answer given there hears who won.
  async #each(
    connectors: readonly Connector[],
    call: (connector: Connector) => Promise<void>,
  ): Promise<readonly Connector[]> {
    const failed: Connector[] = [];
    const calls = connectors.map((connector) =>
      withRetries(LIMIT_MS, () => call(connector)).catch((error: unknown) => {
        failed.push(connector);
        this.#onError(error);
      }),
    );
    for (const called of calls) await called;
    return failed;
  }

  /** The steps of a call, in order; `null` if Beckon cannot say, and then nothing may be shown out of turn. */
  async #listSteps(interaction: Interaction): Promise<Interaction[] | null> {
    try {
      const { groupId, chatId } = interaction;
      const { items } = await this.#beckon.list({ groupId, chatId, limit: LIMITS.pageItems });
      return toStepsOf(interaction, items);
    } catch (error) {
      this.#onError(error);
      return null;
    }
  }

  async #note({ id }: Interaction, note: Note): Promise<void> {
    await this.#beckon.note(id, note).catch(this.#onError);
  }
}

function showsGroups(connector: Connector): boolean {
  return connector.showsGroups === true;
}

// A connector made of several has already said which of them it was.
function withName(inbound: Inbound, name: string): Inbound {
  return {
    answer: (id, answer, who, via = name) => inbound.answer(id, answer, who, via),
    answerMany: (ids, answer, who, via = name) => inbound.answerMany(ids, answer, who, via),
    answerGroup: (groupId, answers, who, via = name) => inbound.answerGroup(groupId, answers, who, via),
    get: (id) => inbound.get(id),
    context: (id) => inbound.context(id),
    say: (chatId, text, who, via = name, hasRead) => inbound.say(chatId, text, who, via, hasRead),
  };
}
