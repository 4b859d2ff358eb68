import type { Beckon } from '../core/beckon.ts';

/** How long notes gather before they are written, in milliseconds. */
const GATHER_MS = 250;

/**
 * Writes down what was delivered, a moment later and together: nobody waits for it. What has ended by then needs no such note, because
 * the end says more.
 */
export class DeliveryNotes {
  readonly #beckon: Beckon;
  readonly #onError: (error: unknown) => void;
  #gathered = new Map<string, string[]>();
  #timer: NodeJS.Timeout | undefined;

  constructor(beckon: Beckon, onError: (error: unknown) => void) {
    this.#beckon = beckon;
    this.#onError = onError;
  }

  add(id: string, connector: string): void {
    const connectors = this.#gathered.get(id);
    if (connectors === undefined) this.#gathered.set(id, [connector]);
    else connectors.push(connector);
    this.#timer ??= setTimeout(() => void this.write(), GATHER_MS);
  }

  /** Forgets what was not written about an interaction that has ended. */
  drop(id: string): void {
    this.#gathered.delete(id);
  }

  /** Writes what was gathered now. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = [...this.#gathered];
    this.#gathered = new Map();
    const notes = gathered.flatMap(([id, connectors]) =>
      connectors.map((connector) => this.#beckon.note(id, { type: 'delivered', connector }).catch(this.#onError)),
    );
    await Promise.all(notes);
  }
}
