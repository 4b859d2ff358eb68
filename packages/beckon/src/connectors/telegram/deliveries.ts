import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type BaseDelivery, createDelivery, DeliveryBook } from '../shared/delivery-book.ts';
import { toLabels } from './choices.ts';

/** One interaction as one Telegram chat shows it. `shownAt` is by `performance.now()`, and not in the file. */
export interface Delivery extends BaseDelivery {
  readonly chat: number;
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
  /** When it took the place of the step before it, in seconds by Telegram's clock: older texts are not meant for it. */
  beganAt?: number;
}

/** Knows which messages show which interaction, and keeps that in a file where one is set. */
export class Deliveries extends DeliveryBook<Delivery> {
  constructor(file: string | undefined) {
    super({
      file,
      place: 'Telegram',
      mark: 'beckonTelegram',
      // Their old name: files of earlier versions stay readable.
      list: 'copies',
      isDelivery,
      toKept: (delivery) => ({ ...delivery, interaction: undefined, second: undefined, shownAt: undefined }),
    });
  }

  /** The delivery of an interaction to a chat; a new one where there is none. */
  of(interaction: Interaction, chat: number): Delivery {
    const known = this.get(interaction.id);
    const delivery: Delivery =
      known?.chat === chat
        ? known
        : {
            ...createDelivery(interaction),
            chat,
            labels: toLabels(interaction),
            messages: [],
            strays: [],
            mayHaveStrays: false,
            chosen: [],
          };
    this.add(delivery);
    delivery.interaction = interaction;
    return delivery;
  }

  /** The delivery that a message shows: of several steps of a call, the latest. */
  findByMessage(chat: number, message: number): Delivery | undefined {
    return this.findLast(
      (delivery) =>
        delivery.chat === chat && (delivery.messages.includes(message) || delivery.strays.includes(message)),
    );
  }

  /** The step of the same call whose only message this delivery can take over. */
  findStepBefore({ id, call, chat }: Delivery): Delivery | undefined {
    return this.findLast(
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
    return this.find((delivery) => delivery.chat === chat && !delivery.isClosed && isRecent(delivery)) !== undefined;
  }

  /** Whether a text from so many seconds by Telegram's clock was written before an open step took its place. */
  hasBegunSince(chat: number, seconds: number): boolean {
    return (
      this.find((delivery) => delivery.chat === chat && !delivery.isClosed && (delivery.beganAt ?? 0) > seconds) !==
      undefined
    );
  }

  /** Whether a delivery that is open was sent after a message: message numbers grow within a chat. */
  hasOpenAfter(chat: number, message: number): boolean {
    return (
      this.find(
        (delivery) => delivery.chat === chat && !delivery.isClosed && (delivery.messages.at(-1) ?? 0) > message,
      ) !== undefined
    );
  }
}

function isDelivery({ chat, labels, messages, strays, chosen }: JsonObject): boolean {
  return (
    typeof chat === 'number' &&
    Array.isArray(labels) &&
    labels.every((label) => typeof label === 'string') &&
    [messages, strays, chosen].every((list) => Array.isArray(list) && list.every(Number.isSafeInteger))
  );
}
