import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { isSameJson } from '../core/same-json.ts';
import type { Duration } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { AskInput, Interaction } from '../protocol/interaction.ts';
import { FeedbackPrompts } from './feedback-prompts.ts';
import { checkTimePolicy, startReminders, type TimePolicy } from './time-policy.ts';

/** How an interaction ended for the agent. `undeliverable`: nobody could be reached, and it is still pending. */
export interface Ended {
  outcome: 'answered' | 'expired' | 'cancelled' | 'superseded' | 'undeliverable';
  interaction: Interaction;
}

/** What a desk is put together from. */
export interface DeskOptions {
  beckon: Beckon;
  /** Never hangs and retries by itself, as `MultiConnector` does. */
  connector: Connector;
  /** Default: that of Beckon. */
  timeout: Duration | null | undefined;
  onError: (error: unknown) => void;
}

/** Puts one interaction in front of people and stays with it until it has ended. */
export class Desk {
  readonly #beckon: Beckon;
  readonly #connector: Connector;
  readonly #timeout: Duration | null | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #feedback: FeedbackPrompts;
  readonly #repaints = new Set<Promise<void>>();
  /** What is asked here at this moment, so that a button need not look it up. */
  readonly #open = new Map<string, Interaction>();

  constructor(options: DeskOptions) {
    this.#beckon = options.beckon;
    this.#connector = options.connector;
    this.#timeout = options.timeout;
    this.#onError = options.onError;
    this.#feedback = new FeedbackPrompts(options);
  }

  /**
   * Asks, shows and waits. An interaction that was asked before is shown again, or just read. The agent goes on as soon as the answer
   * is known: the copies are repainted meanwhile.
   */
  async ask(
    input: AskInput,
    options: TimePolicy & { sessionId?: string; signal?: AbortSignal },
    onAsked: (interaction: Interaction) => void,
  ): Promise<Ended> {
    checkTimePolicy(options);
    const { sessionId, timeout = this.#timeout } = options;
    const interaction = await this.#beckon.ask({
      ...input,
      ...(timeout !== undefined && { timeout }),
      ...(sessionId !== undefined && { sessionId }),
    });
    if (input.idempotencyKey !== undefined) checkSame(input, interaction);
    onAsked(interaction);
    if (interaction.status !== 'pending') return { outcome: interaction.status, interaction };
    return this.#stay(interaction, options);
  }

  /** Finds an interaction that waits here. What other processes ask is not here. */
  find(id: string): Interaction | undefined {
    return this.#open.get(id);
  }

  /** Resolves when every copy of what has ended was repainted, or could not be. */
  async finish(): Promise<void> {
    await Promise.all(this.#repaints);
  }

  async #stay(interaction: Interaction, options: TimePolicy & { signal?: AbortSignal }): Promise<Ended> {
    const { signal } = options;
    const leaving = new AbortController();
    const cancel = (): void => {
      this.#beckon.cancel({ id: interaction.id }, 'the agent no longer waits').catch(this.#onError);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    this.#open.set(interaction.id, interaction);
    const waiting = this.#beckon.wait(interaction.id, { signal: leaving.signal });
    const showing = this.#show(interaction);
    const stopReminders = startReminders(
      { beckon: this.#beckon, connector: this.#connector, onError: this.#onError },
      interaction,
      options,
    );
    const unwatch = interaction.kind === 'plan_review' ? this.#feedback.watch(interaction) : undefined;
    try {
      const settled = await unlessUnshown(waiting, showing);
      if (settled === null) {
        leaving.abort();
        return { outcome: 'undeliverable', interaction };
      }
      this.#repaint(settled, showing);
      return { outcome: settled.status === 'pending' ? 'cancelled' : settled.status, interaction: settled };
    } finally {
      stopReminders();
      unwatch?.();
      signal?.removeEventListener('abort', cancel);
      this.#open.delete(interaction.id);
    }
  }

  #show(interaction: Interaction): Promise<boolean> {
    return this.#connector.show(interaction).then(
      () => true,
      (error: unknown) => {
        this.#onError(error);
        return false;
      },
    );
  }

  // A copy that is still on its way would arrive after its repaint, and stay open for ever.
  #repaint(settled: Interaction, showing: Promise<boolean>): void {
    const repaint = showing
      .then(() => this.#connector.settle(settled))
      .catch(this.#onError)
      .finally(() => this.#repaints.delete(repaint));
    this.#repaints.add(repaint);
  }
}

// `null` as soon as it is known that nobody sees it, unless it was settled before.
function unlessUnshown(waiting: Promise<Interaction>, showing: Promise<boolean>): Promise<Interaction | null> {
  return new Promise((resolve, reject) => {
    waiting.then(resolve, reject);
    showing.then((isShown) => {
      if (!isShown) resolve(null);
    }, reject);
  });
}

// Otherwise the answer to one request could become consent to another.
function checkSame(input: AskInput, { id, kind, request, idempotencyKey }: Interaction): void {
  if (kind === input.kind && isSameJson(request, input.request)) return;
  throw new BeckonError(
    'interaction_exists',
    `The tool call ${JSON.stringify(idempotencyKey)} has asked something else before (${id}). Give each call an id of its own.`,
  );
}
