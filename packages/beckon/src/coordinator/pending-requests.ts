import type { Beckon } from '../core/beckon.ts';
import { requestGroup } from '../core/request.ts';
import type { Duration } from '../protocol/duration.ts';
import type { AskInput, Interaction } from '../protocol/interaction.ts';
import { toCallKey } from '../protocol/steps.ts';
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

/** Who asks, how long it waits, and what ends it early. */
type AskOptions = TimePolicy & { sessionId?: string | undefined; signal?: AbortSignal | undefined };

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
   * Asks everything that a call needs in one commit, shows it and waits. An interaction that was asked before is shown
   * again, or just read if it has ended. The agent goes on as soon as the answers are known; the deliveries are closed
   * meanwhile.
   */
  async ask(
    inputs: readonly AskInput[],
    options: AskOptions,
    onAsked: (interactions: readonly Interaction[]) => void,
  ): Promise<Ended[]> {
    checkTimePolicy(options);
    const unshown = new AbortController();
    let asked: readonly Interaction[] = [];
    const showing = new Map<string, Promise<void>>();
    let leave: (settled?: Interaction) => void = () => undefined;
    try {
      const settled = await requestGroup(this.#options.beckon, this.#toTimed(inputs, options), {
        signal: unshown.signal,
        keep: true,
        onAsked: (interactions) => {
          asked = interactions;
          onAsked(interactions);
          const open = interactions.filter(({ status }) => status === 'pending');
          leave = this.#stay(open, options);
          for (const interaction of open) showing.set(interaction.id, this.#show(interaction, unshown));
        },
        onSettled: (interaction) => {
          const shown = showing.get(interaction.id);
          if (shown === undefined) return;
          leave(interaction);
          this.#close(interaction, shown, unshown);
        },
      });
      return settled.map((interaction) => ({ outcome: interaction.status, interaction }));
    } catch (error) {
      if (error !== UNSHOWN) throw error;
      return await Promise.all(asked.map((interaction) => this.#readUnshown(interaction)));
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

  #toTimed(
    inputs: readonly AskInput[],
    { sessionId, timeout = this.#options.timeout, escalate }: AskOptions,
  ): AskInput[] {
    const shared = {
      ...(timeout !== undefined && { timeout }),
      ...(sessionId !== undefined && { sessionId }),
      ...(escalate !== undefined && { escalate: [...escalate] }),
    };
    return inputs.map((input) => ({ ...input, ...shared }));
  }

  /** How a request stands that nobody could be shown: other steps of its call may have been answered before. */
  async #readUnshown(asked: Interaction): Promise<Ended> {
    const interaction = (await this.#options.beckon.get(asked.id)) ?? asked;
    const { status } = interaction;
    return { outcome: status === 'pending' ? 'undeliverable' : status, interaction };
  }

  /**
   * Reminds, watches for feedback and cancels on abort, until the returned function is called for what was settled, or
   * for everything. Of several requests people are reminded only of the first open one: it is the one they see.
   */
  #stay(interactions: readonly Interaction[], options: AskOptions): (settled?: Interaction) => void {
    const { signal } = options;
    const { beckon, onError } = this.#options;
    const open = [...interactions];
    const cancel = (): void => {
      for (const { id } of open) beckon.cancel({ id }, 'the agent no longer waits').catch(onError);
    };
    for (const interaction of open) this.#pending.set(interaction.id, interaction);
    let reminded = open[0];
    let stopReminders = reminded && startReminders(this.#context, reminded, options);
    const unwatches = open.flatMap((one) => (one.kind === 'plan_review' ? [this.#plans.watch(one)] : []));
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    return (settled) => {
      for (const { id } of settled === undefined ? open : [settled]) this.#pending.delete(id);
      const index = open.findIndex(({ id }) => id === settled?.id);
      open.splice(Math.max(0, index), settled === undefined ? open.length : 1);
      const [next] = open;
      if (next !== reminded) {
        stopReminders?.();
        reminded = next;
        stopReminders = next && startReminders(this.#context, next, options, Date.now());
      }
      if (next !== undefined) return;
      for (const unwatch of unwatches.splice(0)) unwatch();
      signal?.removeEventListener('abort', cancel);
    };
  }

  #close(settled: Interaction, showing: Promise<void>, unshown: AbortController): void {
    const { connector, onError } = this.#options;
    // A delivery still under way would arrive after it was closed, and stay open.
    const closed = showing.then(() => connector.settle(settled));
    const closing = (toCallKey(settled) === null ? closed : closed.then(() => connector.showNext(settled)))
      .catch((error: unknown) => {
        onError(error);
        unshown.abort(UNSHOWN);
      })
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
