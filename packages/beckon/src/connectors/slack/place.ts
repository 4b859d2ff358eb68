import type { Inbound } from '../../core/connector.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { isGenuine, readButton } from '../shared/button-data.ts';
import type { Answering } from '../shared/decide.ts';
import type { Work } from '../shared/work.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import type { Sender } from './sender.ts';
import type { Settings } from './settings.ts';
import type { SlackApi } from './web-api.ts';

const MOST_STRANGERS = 1000;

/** Everything that takes what people do in Slack. */
export interface PlaceOptions {
  settings: Settings;
  api: SlackApi;
  deliveries: Deliveries;
  sender: Sender;
  inbound: Inbound;
  work: Work;
}

/** What presses, texts and forms have in common: who may answer, and which delivery they mean. */
export class Place {
  readonly settings: Settings;
  readonly api: SlackApi;
  readonly deliveries: Deliveries;
  readonly sender: Sender;
  readonly inbound: Inbound;
  readonly work: Work;
  readonly #strangers = new Set<string>();

  constructor({ settings, api, deliveries, sender, inbound, work }: PlaceOptions) {
    this.settings = settings;
    this.api = api;
    this.deliveries = deliveries;
    this.sender = sender;
    this.inbound = inbound;
    this.work = work;
  }

  /** The name of a person who may answer; `undefined` for everybody else, of whom an operator hears once. */
  findName(channel: string, user: string): string | undefined {
    const name = this.settings.users.get(user);
    if (name === undefined) this.#report(channel, user, false);
    return name;
  }

  /** Whether a channel is listed. If it is not, an operator hears of it once. */
  isListed(channel: string, user: string): boolean {
    const isKnown = this.settings.chatIds.has(channel);
    if (!isKnown) this.#report(channel, user, true);
    return isKnown;
  }

  /** The delivery that signed data belongs to; `null` if it is forged or of another channel. */
  findSigned(data: string, channel?: string): { delivery: Delivery; choice: string } | null {
    const read = readButton(data);
    const delivery = read === null ? undefined : this.deliveries.findByKey(read.key);
    if (read === null || delivery === undefined) return null;
    if (channel !== undefined && delivery.channel !== channel) return null;
    const { key, channel: chat, id: interactionId } = delivery;
    const button = { key, chat, interactionId, choice: read.choice };
    return isGenuine(this.settings.secret, button, read.mac) ? { delivery, choice: read.choice } : null;
  }

  /** The interaction of a delivery. Right after a restart the delivery does not know it yet. */
  async findInteraction(delivery: Delivery): Promise<Interaction | null> {
    const interaction = delivery.interaction ?? (await this.inbound.get(delivery.id));
    if (interaction !== null) delivery.interaction = interaction;
    return interaction;
  }

  toAnswering(delivery: Delivery, who: string): Answering {
    const { inbound, settings } = this;
    return { delivery, inbound, who, close: (interaction) => this.close(interaction), onError: settings.onError };
  }

  /** Closes a delivery that is settled, perhaps elsewhere, because nobody may tell this connector. */
  close(interaction: Interaction): void {
    this.work.inBackground(() => this.sender.settle(interaction));
  }

  /** Says something to one person alone. */
  whisper(channel: string, user: string, text: string, thread?: string): void {
    this.work.inBackground(() => this.sender.whisper(channel, user, text, thread));
  }

  #report(channel: string, user: string, isChannel: boolean): void {
    const stranger = isChannel ? channel : `${channel} ${user}`;
    if (this.#strangers.has(stranger) || this.#strangers.size >= MOST_STRANGERS) return;
    this.#strangers.add(stranger);
    this.settings.onIgnored({ channel, user, isChannel });
  }
}
