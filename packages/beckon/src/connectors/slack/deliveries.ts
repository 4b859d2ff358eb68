import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type BaseDelivery, createDelivery, DeliveryBook } from '../shared/delivery-book.ts';
import { toLabels } from './choices.ts';

/** One interaction as one Slack channel shows it. `shownAt` is by Slack's clock. */
export interface Delivery extends BaseDelivery {
  readonly channel: string;
  /** The labels of a question's options: a press right after a restart is understood by them. */
  readonly labels: readonly string[];
  /** The message that shows it. Texts in its thread are for it. */
  ts?: string;
  /** Messages whose post got no reply, and that a press told us of. */
  strays: string[];
  /** Since when the reply to a post was lost, by Slack's clock: a message that we do not know of may be there. */
  lostSince?: number;
  /** Whether its text was too long for the message, and whether its file is in the thread. */
  isLong?: boolean;
  hasFile?: boolean;
  /** Whether nobody can read all of it yet: its file is still to come. */
  isPartial?: boolean;
  /** When its buttons last changed, by `performance.now()`: our own clock is sure. Not in the file. */
  changedAt?: number;
  /** When it took the place of the step before it, by Slack's clock: older texts are not meant for it. */
  beganAt?: number;
  /** The texts of its thread that were taken, by their `ts`: Slack may give them twice. */
  heard: string[];
}

const MOST_HEARD = 100;
const MOST_TOLD = 1000;

/** Knows which messages show which interaction, and keeps that in a file where one is set. */
export class Deliveries extends DeliveryBook<Delivery> {
  /** Who was told that a text in a channel answers nothing. */
  #told: string[] = [];

  constructor(file: string | undefined) {
    super({
      file,
      place: 'Slack',
      mark: 'beckonSlack',
      list: 'deliveries',
      isDelivery,
      toKept: (delivery) => ({ ...delivery, interaction: undefined, second: undefined, changedAt: undefined }),
    });
  }

  override load(): JsonObject {
    const state = super.load();
    const { told } = state;
    if (Array.isArray(told)) this.#told = told.filter((one) => typeof one === 'string');
    return state;
  }

  override save(): void {
    super.save({ told: this.#told });
  }

  /** The delivery of an interaction to a channel; a new one where there is none. */
  of(interaction: Interaction, channel: string): Delivery {
    const known = this.get(interaction.id);
    const delivery: Delivery =
      known?.channel === channel
        ? known
        : { ...createDelivery(interaction), channel, labels: toLabels(interaction), strays: [], heard: [] };
    this.add(delivery);
    delivery.interaction = interaction;
    return delivery;
  }

  /** The delivery that a message shows: of several steps of a call, the latest. */
  findByMessage(channel: string, ts: string): Delivery | undefined {
    return this.findLast((delivery) => delivery.channel === channel && isOn(delivery, ts));
  }

  /** The step of the same call whose message this delivery can take over. */
  findStepBefore({ id, call, channel }: Delivery): Delivery | undefined {
    return this.findLast(
      (other) =>
        call !== undefined &&
        other.call === call &&
        other.id !== id &&
        other.channel === channel &&
        other.ts !== undefined &&
        other.hasFile !== true,
    );
  }

  /** The deliveries to a channel whose messages we do not know yet. */
  listUnposted(channel: string): Delivery[] {
    const open = this.listOpen().flatMap((id) => this.get(id) ?? []);
    return open.filter((delivery) => delivery.channel === channel && delivery.ts === undefined);
  }

  /** Whether anything is open in a channel. */
  hasOpen(channel: string): boolean {
    return this.find((delivery) => delivery.channel === channel && !delivery.isClosed) !== undefined;
  }

  /** Notes that a text was taken. `false`: it was before. */
  hear(delivery: Delivery, ts: string): boolean {
    if (delivery.heard.includes(ts)) return false;
    delivery.heard = [...delivery.heard, ts].slice(-MOST_HEARD);
    return true;
  }

  /** Whether this is the first time that something is told. */
  tell(what: string): boolean {
    if (this.#told.includes(what)) return false;
    this.#told = [...this.#told, what].slice(-MOST_TOLD);
    return true;
  }
}

/** Whether a message shows a delivery. */
export function isOn({ ts, strays }: Delivery, message: string): boolean {
  return ts === message || strays.includes(message);
}

function isDelivery({ channel, labels, ts, strays, heard }: JsonObject): boolean {
  const lists = [labels, strays, heard];
  return (
    typeof channel === 'string' &&
    (ts === undefined || typeof ts === 'string') &&
    lists.every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'))
  );
}
