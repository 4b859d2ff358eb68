import type { Beckon } from '../core/beckon.ts';
import { request } from '../core/request.ts';
import type { Duration } from '../protocol/duration.ts';
import type { AskInput, Interaction } from '../protocol/interaction.ts';
import { FeedbackPrompts } from './feedback-prompts.ts';
import type { MultiConnector } from './multi-connector.ts';
import { PlanWatcher } from './plan-watcher.ts';
import { checkTimePolicy, type ReminderContext, startReminders, type TimePolicy } from './time-policy.ts';

/** How an interaction ended for the agent. `undeliverable`: nobody could be reached, and it is still pending. */
export interface Ended {
  outcome: 'answered' | 'expired' | 'cancelled' | 'superseded' | 'undeliverable';
  interaction: Interaction;
}

/** What pending requests need. */
export interface PendingRequestsOptions {
  beckon: Beckon;
  connector: MultiConnector;
  /** Default: Beckon's own. */
  timeout: Duration | null | undefined;
  onError: (error: unknown) => void;
}

/** Ends the wait for an interaction that nobody could be shown. */
const UNSHOWN = Symbol('unshown');

/** Asks, shows what was asked to people, and stays with it until it has ended. */
export class PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #plans: PlanWatcher;
  readonly #context: ReminderContext;
  /** Deliveries that are being closed. */
  readonly #closing = new Set<Promise<void>>();
  /** By id, so a button need not look it up. */
  readonly #pending = new Map<string, Interaction>();

  constructor(options: PendingRequestsOptions) {
    this.#options = options;
    this.#context = options;
    this.#plans = new PlanWatcher({ ...options, prompts: new FeedbackPrompts(options.connector) });
  }

  /**
   * Asks, shows and waits. An interaction that was asked before is shown again, or just read if it has ended. The agent
   * goes on as soon as the answer is known; the deliveries are closed meanwhile.
   */
  async ask(
    input: AskInput,
    options: TimePolicy & { sessionId?: string | undefined; signal?: AbortSignal | undefined },
    onAsked: (interaction: Interaction) => void,
  ): Promise<Ended> {
    checkTimePolicy(options);
    const { sessionId, timeout = this.#options.timeout } = options;
    const timed = {
      ...input,
      ...(timeout !== undefined && { timeout }),
      ...(sessionId !== undefined && { sessionId }),
    };
    const unshown = new AbortController();
    let asked: Interaction | undefined;
    let showing = Promise.resolve();
    let leave: () => void = () => undefined;
    try {
      const settled = await request(this.#options.beckon, timed, {
        signal: unshown.signal,
        keep: true,
        onAsked: (interaction) => {
          asked = interaction;
          onAsked(interaction);
          if (interaction.status !== 'pending') return;
          leave = this.#stay(interaction, options);
          showing = this.#show(interaction, unshown);
        },
      });
      if (asked?.status === 'pending') this.#close(settled, showing);
      return { outcome: settled.status, interaction: settled };
    } catch (error) {
      if (error !== UNSHOWN || asked === undefined) throw error;
      return { outcome: 'undeliverable', interaction: asked };
    } finally {
      leave();
    }
  }

  /** Finds an interaction that this process asked and that is pending. */
  find(id: string): Interaction | undefined {
    return this.#pending.get(id);
  }

  /** Resolves when every delivery of what has ended was closed, or could not be. */
  async finish(): Promise<void> {
    await Promise.all(this.#closing);
  }

  async #show(interaction: Interaction, unshown: AbortController): Promise<void> {
    try {
      await this.#options.connector.show(interaction);
    } catch (error) {
      this.#options.onError(error);
      unshown.abort(UNSHOWN);
    }
  }

  /** Reminds, watches for feedback and cancels on abort, until the returned function is called. */
  #stay(interaction: Interaction, options: TimePolicy & { signal?: AbortSignal | undefined }): () => void {
    const { id } = interaction;
    const { signal } = options;
    const { beckon, onError } = this.#options;
    const cancel = (): void => {
      beckon.cancel({ id }, 'the agent no longer waits').catch(onError);
    };
    this.#pending.set(id, interaction);
    const stopReminders = startReminders(this.#context, interaction, options);
    const unwatch = interaction.kind === 'plan_review' ? this.#plans.watch(interaction) : undefined;
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    return () => {
      this.#pending.delete(id);
      stopReminders?.();
      unwatch?.();
      signal?.removeEventListener('abort', cancel);
    };
  }

  #close(settled: Interaction, showing: Promise<void>): void {
    const { connector, onError } = this.#options;
    // A delivery still under way would arrive after it was closed, and stay open.
    const closing = showing
      .then(() => connector.settle(settled))
      .catch(onError)
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
