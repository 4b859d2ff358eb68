import type { Beckon } from '../core/beckon.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { MultiConnector } from './multi-connector.ts';

/** What the person reads after choosing "adjust". */
export const FEEDBACK_PROMPT =
  'What should be different? Your next message here goes to the agent as feedback on the plan.';

/** One reader of the log, for all plans that are watched while it runs. */
interface Reading {
  aborting: AbortController;
  /** Resolves when it is fixed from where on the log is read, or that it will not be. */
  started: Promise<void>;
}

/**
 * Asks for feedback when "adjust" was chosen for a plan, in whatever process. It reads the log while at least one plan is watched,
 * and asks once for each.
 */
export class FeedbackPrompts {
  readonly #beckon: Beckon;
  readonly #connector: MultiConnector;
  readonly #onError: (error: unknown) => void;
  /** The plans for which nobody was asked so far. */
  readonly #unasked = new Set<string>();
  #watched = 0;
  #reading: Reading | undefined;

  constructor(options: { beckon: Beckon; connector: MultiConnector; onError: (error: unknown) => void }) {
    this.#beckon = options.beckon;
    this.#connector = options.connector;
    this.#onError = options.onError;
  }

  /** Watches a plan until the returned function is called. */
  watch({ id }: Interaction): () => void {
    this.#watched += 1;
    this.#unasked.add(id);
    this.#reading ??= this.#read();
    this.#look(id, this.#reading.started).catch(this.#onError);
    return () => {
      this.#watched -= 1;
      this.#unasked.delete(id);
      if (this.#watched === 0) this.#leave(this.#reading);
    };
  }

  // "Adjust" may have been chosen before the place from which the log is read. So that place comes first: what is chosen after this
  // look is behind it.
  async #look(id: string, started: Promise<void>): Promise<void> {
    await started;
    await this.#ask(id);
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
      if (event.type === 'interaction.feedback_requested') await this.#ask(event.interactionId);
    }
  }

  async #ask(id: string): Promise<void> {
    const current = this.#unasked.has(id) ? await this.#beckon.get(id) : null;
    if (current?.status !== 'pending' || !current.awaitingFeedback || !this.#unasked.delete(id)) return;
    // The copies must know it too: from here on a text for this plan is feedback, whatever it says.
    await this.#connector.repaint(current);
    await this.#connector.prompt(current.chatId, FEEDBACK_PROMPT);
  }
}
