import { readIfThere, writePrivateFile } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type Interaction, KINDS, type Kind } from '../../protocol/interaction.ts';
import { toCallKey } from '../../protocol/steps.ts';
import { newKey } from './button-data.ts';
import { toLabels } from './choices.ts';

/** One interaction as one Telegram chat shows it. */
export interface Delivery {
  readonly id: string;
  readonly chat: number;
  readonly key: string;
  readonly kind: Kind;
  /** The call that it is a step of. Its steps are shown in one message, one after another. */
  readonly call?: string;
  /** The labels of a question's options: a button pressed right after a restart is understood by them. */
  readonly labels: readonly string[];
  /** The messages that show it, in order. Once all were sent, the last one has the buttons. */
  messages: number[];
  /** Messages whose send got no reply, and that a press told us of. */
  strays: number[];
  /** Whether the reply to a send was lost: a message that we do not know of may be in the chat. */
  mayHaveStrays: boolean;
  /** The options marked so far, by number. */
  chosen: number[];
  isClosed: boolean;
  /** The answers to earlier steps of its call, one on a line. */
  earlier?: readonly string[];
  /** When it took the place of the step before it, in seconds by Telegram's clock: older texts are not meant for it. */
  beganAt?: number;
  /**
   * How often somebody began to allow what is dangerous, and who is at it. Not in the file: after a restart the first
   * step is taken again.
   */
  second?: { round: number; by: number | null };
  /** When its buttons appeared, by `performance.now()`. Not in the file: after a restart that is long ago. */
  shownAt?: number;
  /** The interaction as last seen. Not in the file: after a restart the next `show` brings it. */
  interaction?: Interaction;
}

/** Closed deliveries are kept for a while, so a late press hears who won. */
const MOST_CLOSED = 500;

/** Knows which messages show which interaction, and keeps that in a file where one is set. */
export class Deliveries {
  readonly #file: string | undefined;
  readonly #deliveries = new Map<string, Delivery>();

  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Reads the file. Throws if it is not ours, instead of overwriting it. */
  load(): void {
    const text = this.#file === undefined ? undefined : readIfThere(this.#file);
    if (text === undefined) return;
    for (const delivery of parseFile(this.#file ?? '', text)) this.#deliveries.set(delivery.id, delivery);
  }

  /** The delivery of an interaction to a chat; a new one where there is none. */
  of(interaction: Interaction, chat: number): Delivery {
    const known = this.#deliveries.get(interaction.id);
    const delivery: Delivery =
      known?.chat === chat
        ? known
        : {
            id: interaction.id,
            chat,
            key: newKey(),
            kind: interaction.kind,
            ...toCall(interaction),
            labels: toLabels(interaction),
            messages: [],
            strays: [],
            mayHaveStrays: false,
            chosen: [],
            isClosed: false,
          };
    this.#deliveries.set(delivery.id, delivery);
    delivery.interaction = interaction;
    return delivery;
  }

  get(id: string): Delivery | undefined {
    return this.#deliveries.get(id);
  }

  /** The interactions whose messages do not say how they ended. */
  listOpen(): string[] {
    return [...this.#deliveries.values()].flatMap(({ id, isClosed }) => (isClosed ? [] : [id]));
  }

  findByKey(key: string): Delivery | undefined {
    return this.#find((delivery) => delivery.key === key);
  }

  /** The delivery that a message shows: of several steps of a call, the latest. */
  findByMessage(chat: number, message: number): Delivery | undefined {
    return [...this.#deliveries.values()].findLast(
      (delivery) =>
        delivery.chat === chat && (delivery.messages.includes(message) || delivery.strays.includes(message)),
    );
  }

  /** The step of the same call whose only message this delivery can take over. */
  findStepBefore({ id, call, chat }: Delivery): Delivery | undefined {
    return [...this.#deliveries.values()].findLast(
      (other) =>
        call !== undefined &&
        other.call === call &&
        other.id !== id &&
        other.chat === chat &&
        other.messages.length === 1,
    );
  }

  /** Whether an open step took the place of another after an instant of `performance.now()`. */
  hasBegunWithin(chat: number, since: number): boolean {
    const isRecent = ({ beganAt, shownAt = 0 }: Delivery): boolean => beganAt !== undefined && shownAt > since;
    return this.#find((delivery) => delivery.chat === chat && !delivery.isClosed && isRecent(delivery)) !== undefined;
  }

  /** Whether a text from so many seconds by Telegram's clock was written before an open step took its place. */
  hasBegunSince(chat: number, seconds: number): boolean {
    return (
      this.#find((delivery) => delivery.chat === chat && !delivery.isClosed && (delivery.beganAt ?? 0) > seconds) !==
      undefined
    );
  }

  /** Whether a delivery that is open was sent after a message: message numbers grow within a chat. */
  hasOpenAfter(chat: number, message: number): boolean {
    return (
      this.#find(
        (delivery) => delivery.chat === chat && !delivery.isClosed && (delivery.messages.at(-1) ?? 0) > message,
      ) !== undefined
    );
  }

  /** Writes the file. */
  save(): void {
    const closed = [...this.#deliveries.values()].filter(({ isClosed }) => isClosed);
    for (const { id } of closed.slice(0, -MOST_CLOSED)) this.#deliveries.delete(id);
    if (this.#file === undefined) return;
    const copies = [...this.#deliveries.values()].map((delivery) => ({
      ...delivery,
      interaction: undefined,
      second: undefined,
      shownAt: undefined,
    }));
    // "copies" is their old name: files of earlier versions stay readable.
    writePrivateFile(this.#file, `${JSON.stringify({ beckonTelegram: 1, copies })}\n`);
  }

  #find(matches: (delivery: Delivery) => boolean): Delivery | undefined {
    for (const delivery of this.#deliveries.values()) if (matches(delivery)) return delivery;
    return undefined;
  }
}

function toCall(interaction: Interaction): Pick<Delivery, 'call'> {
  const call = toCallKey(interaction);
  return call === null ? {} : { call };
}

function parseFile(file: string, text: string): Delivery[] {
  try {
    const state = JSON.parse(text) as { beckonTelegram?: unknown; copies?: unknown };
    if (state.beckonTelegram === 1 && Array.isArray(state.copies) && state.copies.every(isDelivery))
      return state.copies;
  } catch {
    // Not JSON at all: the same error as for any other content.
  }
  throw new BeckonError(
    'invalid_input',
    `${file} is not a state file of the Telegram connector. Name another file, or delete this one: ` +
      'pending requests are then sent once more.',
  );
}

function isDelivery(value: unknown): value is Delivery {
  const delivery = (value ?? {}) as Partial<Record<keyof Delivery, unknown>>;
  const lists = [delivery.messages, delivery.strays, delivery.chosen];
  return (
    typeof delivery.id === 'string' &&
    typeof delivery.key === 'string' &&
    typeof delivery.chat === 'number' &&
    KINDS.includes(delivery.kind as Kind) &&
    Array.isArray(delivery.labels) &&
    delivery.labels.every((label) => typeof label === 'string') &&
    lists.every((list) => Array.isArray(list) && list.every(Number.isSafeInteger))
  );
}
