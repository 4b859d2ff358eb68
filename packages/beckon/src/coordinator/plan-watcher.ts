import type { Beckon } from '../core/beckon.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { FeedbackPrompts } from './feedback-prompts.ts';

/** One reader of the log, for all plans that are watched while it runs. */
interface Reading {
  aborting: AbortController;
  /** Resolves when the position to read from is known, or cannot be. */
  started: Promise<void>;
}

/** Asks for feedback when "adjust" is chosen for a plan, in any process. Reads the log while a plan is watched. */
export class PlanWatcher {
  readonly #beckon: Beckon;
  readonly #prompts: FeedbackPrompts;
  readonly #onError: (error: unknown) => void;
  /** One entry per call, even if two calls are for the same plan. */
  readonly #watched = new Set<Interaction>();
  #reading: Reading | undefined;

  constructor(options: { beckon: Beckon; prompts: FeedbackPrompts; onError: (error: unknown) => void }) {
    this.#beckon = options.beckon;
    this.#prompts = options.prompts;
    this.#onError = options.onError;
  }

  /** Watches a plan until the returned function is called. */
  watch(plan: Interaction): () => void {
    this.#watched.add(plan);
    this.#reading ??= this.#read();
    // "Adjust" may have been chosen before the position to read from. So that comes first: the log has what is chosen
    // after this look.
    this.#reading.started.then(() => this.#look(plan.id)).catch(this.#onError);
    return () => {
      this.#watched.delete(plan);
      if (!this.#isWatched(plan.id)) this.#prompts.forget(plan.id);
      if (this.#watched.size === 0) this.#leave(this.#reading);
    };
  }

  #read(): Reading {
    const aborting = new AbortController();
    const position = this.#beckon.list({ limit: 1 }).then(({ lastSeq }) => lastSeq);
    const reading: Reading = {
      aborting,
      started: position.then(
        () => undefined,
        () => undefined, // The reader below reports it.
      ),
    };
    this.#follow(position, aborting.signal).catch((error: unknown) => {
      if (aborting.signal.aborted) return;
      this.#leave(reading); // The next plan tries again.
      this.#onError(error);
    });
    return reading;
  }

  #leave(reading: Reading | undefined): void {
    reading?.aborting.abort();
    if (this.#reading === reading) this.#reading = undefined;
  }

  async #follow(position: Promise<number>, signal: AbortSignal): Promise<void> {
    for await (const event of this.#beckon.events({ after: await position, signal })) {
      if (event.type === 'interaction.feedback_requested') await this.#look(event.interactionId);
    }
  }

  async #look(id: string): Promise<void> {
    const plan = this.#isWatched(id) ? await this.#beckon.get(id) : null;
    if (plan !== null && this.#isWatched(id)) await this.#prompts.ask(plan);
  }

  #isWatched(id: string): boolean {
    for (const plan of this.#watched) if (plan.id === id) return true;
    return false;
  }
}
