import { ai, type Beckon, Http } from 'beckon';
import type { ChatEvent } from './page/chat-event.ts';
import { agent, createModel } from './script.ts';

/** Settings of a conversation. */
export interface ConversationOptions {
  callbackPort: number;
  /** The origin of the page; only this page may send clicks. */
  origin: string;
  /** With it, clicks are on disk: the agent may restart, and continues where it was. */
  beckon: Beckon | undefined;
}

/** One conversation. Each listener hears everything from its start. */
export class Conversation {
  readonly #events: ChatEvent[] = [];
  readonly #listeners = new Set<(event: ChatEvent) => void>();

  constructor(id: string, options: ConversationOptions) {
    this.#run(id, options).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      console.error(why);
      this.#tell({ type: 'failed', why });
    });
  }

  /** Tells everything so far, and then live. Returns a function that stops it. */
  listen(listener: (event: ChatEvent) => void): () => void {
    for (const event of this.#events) listener(event);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #run(id: string, { callbackPort, origin, beckon }: ConversationOptions): Promise<void> {
    const callback = new Http({ port: callbackPort, origins: [origin], ...(beckon && { beckon, id }) });
    const enhanced = ai(agent, {
      llm: createModel(),
      callback,
      timeout: '1h',
      continueWith: ({ data }) => {
        const { button, name, value } = data as { button?: string; name?: string; value?: string };
        const query = `The person chose: ${button ?? name ?? value}`;
        this.#tell({ type: 'asked', query: button ?? name ?? value ?? '' });
        return query;
      },
    });
    this.#tell({ type: 'asked', query: 'Show sales dashboard' });
    for await (const event of enhanced('Show sales dashboard')) {
      if (typeof event === 'string') this.#tell({ type: 'said', text: event });
      else if (event.type === 'component_delta') this.#tell({ type: 'partial', components: event.data.components });
      else if (event.type === 'component') {
        this.#tell({ type: 'shown', components: event.data.components, callbackUrl: event.data.callback_url });
      }
    }
    this.#tell({ type: 'over' });
  }

  #tell(event: ChatEvent): void {
    // Later listeners do not need partial components.
    if (event.type !== 'partial') this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}
