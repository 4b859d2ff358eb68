import type { Beckon } from '../core/beckon.ts';
import { answerCallback, readCallbackMetadata } from '../core/callback-interaction.ts';
import { BeckonError } from '../protocol/errors.ts';
import { Id } from '../protocol/ids.ts';
import type { CallbackEntry } from './shared-server.ts';

/**
 * The callbacks that the Beckons of one port have on disk. The port's server takes events for them even if their agent
 * is not back yet or is at another round. A Beckon that was closed and dropped elsewhere leaves nothing here.
 */
export class StoredCallbacks {
  readonly #port: number;
  #beckons: readonly WeakRef<Beckon>[] = [];

  /** `port` as it was asked for, which is what the interactions have in their metadata. */
  constructor(port: number) {
    this.#port = port;
  }

  /** Looks for callbacks on this Beckon too, until it is closed. */
  add(beckon: Beckon): void {
    const alive = this.#beckons.filter((ref) => ref.deref() !== undefined);
    this.#beckons = alive.some((ref) => ref.deref() === beckon) ? alive : [...alive, new WeakRef(beckon)];
  }

  /** Rejects if a Beckon cannot tell and no other knows the callback. */
  async find(id: string): Promise<CallbackEntry | undefined> {
    if (this.#beckons.length === 0 || !Id.safeParse(id).success) return undefined;
    const failures: unknown[] = [];
    for (const ref of this.#beckons) {
      const entry = await this.#findOn(ref.deref(), id).catch((error: unknown) => void failures.push(error));
      if (entry !== undefined) return entry;
    }
    if (failures.length > 0) throw failures[0];
    return undefined;
  }

  async #findOn(beckon: Beckon | undefined, id: string): Promise<CallbackEntry | undefined> {
    if (beckon === undefined) return undefined;
    try {
      const written = readCallbackMetadata(await beckon.get(id));
      if (written?.port !== this.#port) return undefined;
      return { origins: written.origins, take: (event) => answerCallback(beckon, id, event) };
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'closed') throw error;
      this.#beckons = this.#beckons.filter((ref) => ref.deref() !== beckon);
      return undefined;
    }
  }
}
