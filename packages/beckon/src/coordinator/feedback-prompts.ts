import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** What the person reads after choosing "adjust". */
export const FEEDBACK_PROMPT =
  'What should be different? Your next message here goes to the agent as feedback on the plan.';

/**
 * Asks for feedback when "adjust" was chosen for a plan, in whatever process. It reads the log while at least one plan is watched,
 * and asks once for each.
 */
export class FeedbackPrompts {
  readonly #beckon: Beckon;
  readonly #connector: Connector;
  readonly #onError: (error: unknown) => void;
  /** The chats of plans for which nobody was asked so far, by interaction. */
  readonly #unasked = new Map<string, string>();
  #watched = 0;
  #reading: AbortController | undefined;

  constructor(options: { beckon: Beckon; connector: Connector; onError: (error: unknown) => void }) {
    this.#beckon = options.beckon;
    this.#connector = options.connector;
    this.#onError = options.onError;
  }

  /** Watches a plan until the returned function is called. */
  watch({ id, chatId }: Interaction): () => void {
    this.#watched += 1;
    this.#unasked.set(id, chatId);
    this.#read();
    // "Adjust" may have been chosen before the log was read from here.
    this.#beckon
      .get(id)
      .then((current) => (current?.awaitingFeedback === true ? this.#ask(id) : undefined))
      .catch(this.#onError);
    return () => {
      this.#watched -= 1;
      this.#unasked.delete(id);
      if (this.#watched === 0) this.#reading?.abort();
    };
  }

  #read(): void {
    if (this.#reading !== undefined && !this.#reading.signal.aborted) return;
    const reading = new AbortController();
    this.#reading = reading;
    this.#follow(reading.signal).catch((error: unknown) => {
      if (reading.signal.aborted) return;
      reading.abort(); // The next plan tries again.
      this.#onError(error);
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for await (const event of this.#beckon.events({ signal })) {
      if (event.type === 'interaction.feedback_requested') await this.#ask(event.interactionId);
    }
  }

  async #ask(id: string): Promise<void> {
    const chatId = this.#unasked.get(id);
    if (chatId === undefined) return;
    this.#unasked.delete(id);
    await this.#connector.prompt(chatId, FEEDBACK_PROMPT);
  }
}
