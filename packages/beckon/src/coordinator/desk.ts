import type { Beckon } from '../core/beckon.ts';
import type { Duration } from '../protocol/duration.ts';
import type { AskInput, Interaction } from '../protocol/interaction.ts';
import { FeedbackPrompts } from './feedback-prompts.ts';
import type { MultiConnector } from './multi-connector.ts';
import { checkTimePolicy, type ReminderContext, startReminders, type TimePolicy } from './time-policy.ts';

/** How an interaction ended for the agent. `undeliverable`: nobody could be reached, and it is still pending. */
export interface Ended {
  outcome: 'answered' | 'expired' | 'cancelled' | 'superseded' | 'undeliverable';
  interaction: Interaction;
}

/** What a desk is put together from. */
export interface DeskOptions {
  beckon: Beckon;
  connector: MultiConnector;
  /** Default: that of Beckon. */
  timeout: Duration | null | undefined;
  onError: (error: unknown) => void;
}

/** Why a wait ended that nobody can see the interaction of. */
const UNSHOWN = Symbol('unshown');
/** How many controllers are kept for later. */
const MOST_IDLE = 1000;

/** Puts one interaction in front of people and stays with it until it has ended. */
export class Desk {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  readonly #timeout: Duration | null | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #feedback: FeedbackPrompts;
  readonly #context: ReminderContext;
  /** What is being repainted, by the controller of its call. */
  readonly #repaints = new Map<AbortController, Promise<void>>();
  /** Controllers that were not needed, for the next interactions: making one costs more than everything else here. */
  readonly #idle: AbortController[] = [];
  /** What is asked here at this moment, so that a button need not look it up. */
  readonly #open = new Map<string, Interaction>();

  constructor(options: DeskOptions) {
    this.#beckon = options.beckon;
    this.#connector = options.connector;
    this.#timeout = options.timeout;
    this.#onError = options.onError;
    this.#context = options;
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
    onAsked(interaction);
    if (interaction.status !== 'pending') return { outcome: interaction.status, interaction };
    return await this.#stay(interaction, options);
  }

  /** Finds an interaction that waits here. What other processes ask is not here. */
  find(id: string): Interaction | undefined {
    return this.#open.get(id);
  }

  /** Resolves when every copy of what has ended was repainted, or could not be. */
  async finish(): Promise<void> {
    await Promise.all(this.#repaints.values());
  }

  async #stay(interaction: Interaction, options: TimePolicy & { signal?: AbortSignal }): Promise<Ended> {
    const { id } = interaction;
    const { signal } = options;
    const cancel = signal && this.#cancelOnAbort(id, signal);
    this.#open.set(id, interaction);
    const leaving = this.#idle.pop() ?? new AbortController();
    const waiting = this.#beckon.wait(id, { signal: leaving.signal });
    const showing = this.#connector.show(interaction).catch((error: unknown) => {
      this.#onError(error);
      leaving.abort(UNSHOWN);
    });
    const stopReminders = startReminders(this.#context, interaction, options);
    const unwatch = interaction.kind === 'plan_review' ? this.#feedback.watch(interaction) : undefined;
    try {
      const settled = await waiting;
      this.#repaints.set(leaving, this.#repaint(settled, showing, leaving));
      return { outcome: settled.status, interaction: settled };
    } catch (error) {
      if (error !== UNSHOWN) throw error;
      return { outcome: 'undeliverable', interaction };
    } finally {
      stopReminders?.();
      unwatch?.();
      if (cancel !== undefined) signal?.removeEventListener('abort', cancel);
      this.#open.delete(id);
    }
  }

  #cancelOnAbort(id: string, signal: AbortSignal): () => void {
    const cancel = (): void => {
      this.#beckon.cancel({ id }, 'the agent no longer waits').catch(this.#onError);
    };
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    return cancel;
  }

  async #repaint(settled: Interaction, showing: Promise<void>, leaving: AbortController): Promise<void> {
    // A copy that is still on its way would arrive after its repaint, and stay open for ever.
    await showing;
    try {
      await this.#connector.settle(settled);
    } catch (error) {
      this.#onError(error);
    }
    this.#repaints.delete(leaving);
    // From here on nobody aborts it for the sake of this interaction.
    if (!leaving.signal.aborted && this.#idle.length < MOST_IDLE) this.#idle.push(leaving);
  }
}
