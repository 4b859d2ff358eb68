import type { Beckon } from '../core/beckon.ts';

/** How often notes are written, in milliseconds. Each waits at least this long and at most twice as long. */
const GATHER_MS = 250;

/** The connectors that showed an interaction, by its id. */
type Notes = Map<string, string[]>;

/**
 * Notes deliveries in the log, a moment later and together, because nobody waits for that. An interaction that has
 * ended by then needs no note.
 */
export class DeliveryNotes {
  readonly #beckon: Beckon;
  readonly #onError: (error: unknown) => void;
  /** Notes since the last round; those that have waited a whole round are ripe to be written. */
  #fresh: Notes = new Map();
  #ripe: Notes = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(beckon: Beckon, onError: (error: unknown) => void) {
    this.#beckon = beckon;
    this.#onError = onError;
  }

  add(id: string, connector: string): void {
    const connectors = this.#fresh.get(id);
    if (connectors === undefined) this.#fresh.set(id, [connector]);
    else connectors.push(connector);
    this.#timer ??= setTimeout(() => this.#turn(), GATHER_MS);
  }

  /** Drops the notes about an interaction that has ended. */
  drop(id: string): void {
    this.#fresh.delete(id);
    this.#ripe.delete(id);
  }

  /** Writes everything now. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [this.#ripe, this.#fresh];
    this.#ripe = new Map();
    this.#fresh = new Map();
    for (const notes of all) await this.#write(notes);
  }

  #turn(): void {
    const ripe = this.#ripe;
    this.#ripe = this.#fresh;
    this.#fresh = new Map();
    this.#timer = this.#ripe.size === 0 ? undefined : setTimeout(() => this.#turn(), GATHER_MS);
    void this.#write(ripe);
  }

  async #write(notes: Notes): Promise<void> {
    const writes: Promise<unknown>[] = [];
    for (const [id, connectors] of notes) {
      for (const connector of connectors) {
        writes.push(this.#beckon.note(id, { type: 'delivered', connector }).catch(this.#onError));
      }
    }
    await Promise.all(writes);
  }
}
