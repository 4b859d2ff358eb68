import { readIfThere, writePrivateFile } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type Interaction, KINDS, type Kind } from '../../protocol/interaction.ts';
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts';
import { toCallKey } from '../../protocol/steps.ts';
import { newKey } from './button-data.ts';

/** A person as the place knows them: a number, or an id. */
export type Person = number | string;

/** One interaction as one chat shows it. Each place adds where that is. */
export interface BaseDelivery {
  readonly id: string;
  readonly key: string;
  readonly kind: Kind;
  /** The call that it is a step of. Its steps are shown in one message, one after another. */
  readonly call?: string;
  isClosed: boolean;
  /** The answers to earlier steps of its call, one on a line. */
  earlier?: readonly string[];
  /**
   * How often somebody began to allow what is dangerous, and who is at it. Not in the file: after a restart the first
   * step is taken again.
   */
  second?: { round: number; by: Person | null };
  /** When its buttons appeared, in milliseconds by the clock that its presses are compared with. */
  shownAt?: number;
  /** The interaction as last seen. Not in the file: after a restart the next `show` brings it. */
  interaction?: Interaction;
}

/** How a place keeps its deliveries in a file. */
export interface BookOptions<Own extends BaseDelivery> {
  file: string | undefined;
  /** The connector's name for people: "Telegram". */
  place: string;
  /** The field that marks the file as its own, and the field with the deliveries. */
  mark: string;
  list: string;
  /** Whether what stands in the file is a delivery. */
  isDelivery: (value: JsonObject) => boolean;
  /** The part of a delivery that the file keeps. */
  toKept: (delivery: Own) => object;
}

/** Closed deliveries are kept for a while, so a late press hears who won. */
const MOST_CLOSED = 500;

/** Knows which messages show which interaction, and keeps that in a file where one is set. */
export class DeliveryBook<Own extends BaseDelivery> {
  readonly #options: BookOptions<Own>;
  readonly #deliveries = new Map<string, Own>();

  constructor(options: BookOptions<Own>) {
    this.#options = options;
  }

  /** Reads the file, and returns what it says. Throws if it is not ours, instead of overwriting it. */
  load(): JsonObject {
    const { file } = this.#options;
    const text = file === undefined ? undefined : readIfThere(file);
    if (file === undefined || text === undefined) return {};
    const state = this.#parse(file, text);
    for (const delivery of state[this.#options.list] as unknown as Own[]) this.#deliveries.set(delivery.id, delivery);
    return state;
  }

  add(delivery: Own): void {
    this.#deliveries.set(delivery.id, delivery);
  }

  get(id: string): Own | undefined {
    return this.#deliveries.get(id);
  }

  /** The interactions whose messages do not say how they ended. */
  listOpen(): string[] {
    return [...this.#deliveries.values()].flatMap(({ id, isClosed }) => (isClosed ? [] : [id]));
  }

  findByKey(key: string): Own | undefined {
    return this.find((delivery) => delivery.key === key);
  }

  find(matches: (delivery: Own) => boolean): Own | undefined {
    for (const delivery of this.#deliveries.values()) if (matches(delivery)) return delivery;
    return undefined;
  }

  findLast(matches: (delivery: Own) => boolean): Own | undefined {
    return [...this.#deliveries.values()].findLast(matches);
  }

  /** Writes the file. `beside` is what else it keeps. */
  save(beside: object = {}): void {
    const { file, mark, list, toKept } = this.#options;
    const closed = [...this.#deliveries.values()].filter(({ isClosed }) => isClosed);
    for (const { id } of closed.slice(0, -MOST_CLOSED)) this.#deliveries.delete(id);
    if (file === undefined) return;
    const kept = [...this.#deliveries.values()].map(toKept);
    writePrivateFile(file, `${JSON.stringify({ [mark]: 1, [list]: kept, ...beside })}\n`);
  }

  #parse(file: string, text: string): JsonObject {
    const { mark, list, isDelivery, place } = this.#options;
    try {
      const state = JSON.parse(text) as Json;
      const kept = isObject(state) && state[mark] === 1 ? state[list] : undefined;
      const isOurs = Array.isArray(kept) && kept.every((one) => isObject(one) && isBase(one) && isDelivery(one));
      if (isOurs && isObject(state)) return state;
    } catch {
      // Not JSON at all: the same error as for any other content.
    }
    throw new BeckonError(
      'invalid_input',
      `${file} is not a state file of the ${place} connector. Name another file, or delete this one: ` +
        'pending requests are then sent once more.',
    );
  }
}

/** What every delivery begins with. */
export function createDelivery(interaction: Interaction): BaseDelivery {
  const call = toCallKey(interaction);
  const { id, kind } = interaction;
  return { id, key: newKey(), kind, ...(call !== null && { call }), isClosed: false };
}

function isBase({ id, key, kind }: JsonObject): boolean {
  return typeof id === 'string' && typeof key === 'string' && KINDS.includes(kind as Kind);
}
