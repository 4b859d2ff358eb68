import type { Interaction } from '../protocol/interaction.ts';
import type { MultiConnector } from './multi-connector.ts';

/** What the person reads after choosing "adjust". */
export const FEEDBACK_PROMPT =
  'What should be different? Your next message here goes to the agent as feedback on the plan.';

/** Asks for feedback once per plan, after "adjust" was chosen for it. */
export class FeedbackPrompts {
  readonly #connector: MultiConnector;
  readonly #asked = new Set<string>();

  constructor(connector: MultiConnector) {
    this.#connector = connector;
  }

  /** Does nothing unless the plan awaits feedback and nobody was asked for it yet. */
  async ask(plan: Interaction): Promise<void> {
    if (plan.status !== 'pending' || !plan.awaitingFeedback || this.#asked.has(plan.id)) return;
    this.#asked.add(plan.id);
    // The deliveries must show it too: from now on a text for this plan is feedback, whatever it says.
    await this.#connector.repaint(plan);
    await this.#connector.prompt(plan.chatId, FEEDBACK_PROMPT, plan.id);
  }

  /** The plan has ended, or nobody here waits for it anymore. */
  forget(id: string): void {
    this.#asked.delete(id);
  }
}
