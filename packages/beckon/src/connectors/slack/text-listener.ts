import { toTextAnswer } from '../../core/route-text.ts';
import { ALLOW_ANYWAY } from '../../core/words.ts';
import { explainDanger } from '../../presentation/describe-risk.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { isDangerous } from '../../risk/is-dangerous.ts';
import { answer, toFailure, toSettledText } from '../shared/decide.ts';
import { NOT_BY_TEXT, ONLY_TEXT } from '../shared/words.ts';
import type { Delivery } from './deliveries.ts';
import type { Place } from './place.ts';
import { toTypedText } from './typed-text.ts';
import { type MessageEvent, toMs } from './wire.ts';
import { ASKED_SINCE, IN_CHANNEL, NOT_ALL_THERE, NOT_LISTED, NOT_OWN_WORDS, UNKNOWN, UNKNOWN_THREAD } from './words.ts';

/** What somebody wrote: alone, into the channel too, or with a file. Edits and everything else are not heard. */
const HEARD = [undefined, 'thread_broadcast', 'file_share'];

/** Brings texts to Beckon: those in the thread of a request, by listed people. A text in a channel answers nothing. */
export class TextListener {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async take(message: MessageEvent): Promise<void> {
    const { api, deliveries } = this.#place;
    const { channel, user, ts, thread_ts: thread } = message;
    if (!HEARD.includes(message.subtype) || user === undefined || api.isOwn(message)) return;
    if (!this.#place.isListed(channel, user)) return;
    if (thread === undefined || thread === ts) return this.#hearInChannel(channel, user);
    const delivery = deliveries.findByMessage(channel, thread) ?? (await this.#findPosted(message, thread));
    if (delivery === undefined && !api.isInOwnThread(message)) return;
    const who = this.#place.findName(channel, user);
    if (who === undefined) {
      if (deliveries.tell(`list ${channel} ${thread} ${user}`)) this.#place.whisper(channel, user, NOT_LISTED, thread);
    } else if (delivery === undefined) {
      // It may be the thread of a message that is found later, and is read then.
      if (deliveries.listUnposted(channel).length > 0) return;
      if (deliveries.tell(`thread ${channel} ${thread} ${user}`)) this.#reply(channel, thread, UNKNOWN_THREAD);
    } else if (deliveries.hear(delivery, ts)) {
      const reply = await this.#hear(message, delivery, who);
      if (reply !== null) this.#reply(channel, thread, reply);
    }
    // Saved after it was used: a text that a dying process did not use is found in the thread again.
    deliveries.save();
  }

  /**
   * The delivery of a thread of ours. A person may write before the reply to our post brings the name of the message.
   */
  async #findPosted(message: MessageEvent, thread: string): Promise<Delivery | undefined> {
    const { api, deliveries, sender } = this.#place;
    if (!api.isInOwnThread(message)) return undefined;
    await Promise.all(deliveries.listUnposted(message.channel).map((delivery) => sender.whenIdle(delivery)));
    return deliveries.findByMessage(message.channel, thread);
  }

  /** Uses a text, and returns what the person reads; `null` for nothing. */
  async #hear(message: MessageEvent, delivery: Delivery, who: string): Promise<string | null> {
    const { settings, deliveries } = this.#place;
    const answering = this.#place.toAnswering(delivery, who);
    if (message.bot_id != null || message.app_id != null) return NOT_OWN_WORDS;
    const text = toTypedText(message.text ?? '');
    if (text.trim() === '') return ONLY_TEXT;
    if (delivery.isPartial === true && !delivery.isClosed) return NOT_ALL_THERE;
    const { beganAt } = delivery;
    // The next step of a call took the place of the one that it was meant for, or nobody can have read it yet.
    const isOld = beganAt !== undefined && toMs(message.ts) < beganAt + settings.momentMs;
    if (isOld && !delivery.isClosed) return ASKED_SINCE;
    try {
      const interaction = await this.#place.findInteraction(delivery);
      if (interaction === null) return UNKNOWN;
      if (interaction.status !== 'pending') {
        this.#place.close(interaction);
        // People may go on to talk about it.
        return deliveries.tell(`end ${delivery.id} ${message.user}`) ? toSettledText(interaction) : null;
      }
      const input = toTextAnswer(interaction, text, isDangerous);
      if (input === 'dangerous') return explainDanger(assessRisk(interaction), ALLOW_ANYWAY);
      return input === null ? NOT_BY_TEXT : (await answer(input, answering)).text;
    } catch (error) {
      return toFailure(error, answering);
    }
  }

  #hearInChannel(channel: string, user: string): void {
    const { deliveries, settings } = this.#place;
    if (!settings.users.has(user) || !deliveries.hasOpen(channel)) return;
    if (!deliveries.tell(`channel ${channel} ${user}`)) return;
    deliveries.save();
    this.#place.whisper(channel, user, IN_CHANNEL);
  }

  #reply(channel: string, thread: string, text: string): void {
    const { sender, work } = this.#place;
    work.inBackground(() => sender.say(channel, text, { thread }));
  }
}
