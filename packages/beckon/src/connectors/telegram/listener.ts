import type { CallbackQuery, Message, Update, User } from 'grammy/types';
import type { Inbound } from '../../core/connector.ts';
import { toTextAnswer } from '../../core/route-text.ts';
import { ALLOW_ANYWAY } from '../../core/words.ts';
import { explainDanger } from '../../presentation/describe-risk.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { isDangerous } from '../../risk/is-dangerous.ts';
import { isGenuine, readButton } from '../shared/button-data.ts';
import { cutText } from '../shared/cut-text.ts';
import { type Answering, answer, decide, toFailure, toSettledText } from '../shared/decide.ts';
import { Presses } from '../shared/presses.ts';
import { withTries } from '../shared/tries.ts';
import { NOT_BY_TEXT, NOT_VALID, ONLY_TEXT } from '../shared/words.ts';
import type { Work } from '../shared/work.ts';
import type { BotApi } from './bot-api.ts';
import { toPress } from './choices.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import type { Sender } from './sender.ts';
import type { Settings } from './settings.ts';

const HELP = 'Agents ask you here. Press a button below a question, or reply to it in your own words.';
const ASKED_SINCE =
  'Something was asked after you wrote this, so it was not used. ' +
  'Please send it again, or reply to the message that you mean.';
const MARKS_CHANGED = 'The marks have changed, so this was not sent. Look at them, then press Done.';
const NOT_OWN_WORDS = 'A text that was forwarded, scheduled or written by a bot is not used. Please write it yourself.';
/** The longest text that Telegram shows above a chat. */
const TOAST_CHARS = 200;
const MOST_STRANGERS = 1000;

/** What a listener needs. */
export interface ListenerOptions {
  settings: Settings;
  bot: BotApi;
  deliveries: Deliveries;
  sender: Sender;
  inbound: Inbound;
  work: Work;
  signal: AbortSignal;
}

/** Brings presses and texts to Beckon, but only from listed chats and people, and only for buttons that we made. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #strangers = new Set<string>();
  readonly #presses: Presses;
  /** The message number of the last reply to a plain text, by chat and person; infinite while it is being sent. */
  readonly #replied = new Map<string, { number: number }>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#presses = new Presses(options.settings.momentMs);
  }

  /** Takes one update. `isBacklog`: it was there before the start. Throws only if Telegram cannot be reached. */
  async take(update: Update, isBacklog: boolean): Promise<void> {
    const { message, callback_query: query } = update;
    if (query?.message !== undefined && this.#isListed(query.message.chat.id, query.from)) {
      await this.#press(query, query.message, isBacklog);
    }
    if (message !== undefined && this.#isListed(message.chat.id, message.from)) {
      await this.#hear(message, message.from, { isBacklog, next: update.update_id + 1 });
    }
  }

  #isListed(chat: number, from: User | undefined): from is User {
    const { settings } = this.#options;
    if (settings.chatIds.has(chat) && from !== undefined && settings.users.has(from.id)) return true;
    const stranger = `${chat} ${from?.id}`;
    if (!this.#strangers.has(stranger) && this.#strangers.size < MOST_STRANGERS) {
      this.#strangers.add(stranger);
      settings.onIgnored({ chat, user: from?.id ?? null, name: from === undefined ? 'nobody' : toName(from) });
    }
    return false;
  }

  async #press(
    query: CallbackQuery,
    message: { message_id: number; chat: { id: number } },
    isBacklog: boolean,
  ): Promise<void> {
    const delivery = await this.#findPressed(query.data ?? '', message);
    const choice = readButton(query.data ?? '')?.choice;
    if (delivery === null || choice === undefined) return this.#toast(query, NOT_VALID, true);
    const press = toPress(delivery, choice);
    // A press from before the start is deliberate: nothing new appeared in the chat meanwhile.
    const isTooSoon = !isBacklog && this.#presses.isTooSoon(delivery, query.from.id, performance.now());
    switch (press.type) {
      case 'answer':
      case 'anyway':
      case 'back': {
        const repaint = (): void => this.#repaint(delivery);
        const pressing = { ...this.#toAnswering(delivery, query.from), person: query.from.id, isTooSoon, repaint };
        const { text, isProblem } = await decide(press, pressing);
        return this.#toast(query, text, isProblem);
      }
      case 'mark': {
        if (delivery.isClosed) return this.#toast(query, toSettledText(delivery.interaction), true);
        const others = delivery.chosen.filter((option) => option !== press.option);
        delivery.chosen = press.isOn ? [...others, press.option].toSorted((a, b) => a - b) : others;
        this.#options.deliveries.save();
        this.#repaintButtons(delivery);
        return this.#toast(query, '', false);
      }
      case 'nothing_chosen':
        if (delivery.isClosed) return this.#toast(query, toSettledText(delivery.interaction), true);
        return this.#toast(query, 'Mark at least one option first, then press Done.', true);
      case 'changed':
        if (delivery.isClosed) return this.#toast(query, toSettledText(delivery.interaction), true);
        this.#repaintButtons(delivery);
        return this.#toast(query, MARKS_CHANGED, true);
      case 'unknown':
        return this.#toast(query, NOT_VALID, true);
    }
  }

  #toAnswering(delivery: Delivery, from: User): Answering {
    const { inbound, sender, settings, work } = this.#options;
    return {
      delivery,
      inbound,
      who: toName(from),
      close: (interaction) => work.inBackground(() => sender.settle(interaction)),
      onError: settings.onError,
    };
  }

  /** Whether a step took the place of another so recently that nobody can have read it and written an answer. */
  #isTooSoonToRead(chat: number): boolean {
    const { settings, deliveries } = this.#options;
    const since = performance.now() - settings.momentMs;
    return deliveries.hasBegunWithin(chat, since);
  }

  /** The delivery whose button was pressed. `null`: the button is forged, or belongs to another chat or message. */
  async #findPressed(data: string, message: { message_id: number; chat: { id: number } }): Promise<Delivery | null> {
    const { settings, deliveries } = this.#options;
    const read = readButton(data);
    const delivery = read === null ? undefined : deliveries.findByKey(read.key);
    if (read === null || delivery === undefined || delivery.chat !== message.chat.id) return null;
    const button = { key: delivery.key, chat: delivery.chat, interactionId: delivery.id, choice: read.choice };
    if (!isGenuine(settings.secret, button, read.mac)) return null;
    // A person may press before the reply to our send brings the number of the message.
    if (!isOn(delivery, message.message_id)) await this.#options.sender.whenIdle(delivery);
    if (isOn(delivery, message.message_id)) return delivery;
    if (!delivery.mayHaveStrays) return null;
    delivery.strays.push(message.message_id);
    deliveries.save();
    const { interaction } = delivery;
    const { sender, work } = this.#options;
    if (delivery.isClosed && interaction !== undefined) work.inBackground(() => sender.settle(interaction));
    return delivery;
  }

  async #hear(message: Message, from: User, arrival: { isBacklog: boolean; next: number }): Promise<void> {
    const { settings, bot, deliveries, sender, inbound, work, signal } = this.#options;
    const { text } = message;
    const chatId = settings.chatIds.get(message.chat.id);
    if (chatId === undefined) return;
    if (text === undefined) {
      if (isContent(message)) this.#reply(message, ONLY_TEXT);
      return;
    }
    if (/^\/(start|help)(@\w+)?\s*$/.test(text)) return this.#reply(message, HELP);
    if (!isOwnWords(message)) return this.#reply(message, NOT_OWN_WORDS);
    const original = message.reply_to_message?.message_id;
    const delivery = original === undefined ? undefined : deliveries.findByMessage(message.chat.id, original);
    // The next step of a call took the place of the one that it may have been meant for.
    const hasChanged =
      deliveries.hasBegunSince(message.chat.id, message.date) || this.#isTooSoonToRead(message.chat.id);
    if (delivery !== undefined && (delivery.isClosed || !hasChanged))
      return this.#hearReply(message, from, delivery, text);
    if (delivery !== undefined) return this.#reply(message, ASKED_SINCE);
    // It was meant for that message, so it must not answer anything else.
    if (message.reply_to_message?.from?.is_bot === true && !sender.hasSaid(message.chat.id, original)) {
      return this.#reply(message, 'Beckon no longer knows that message. Reply to a newer one, or just write.');
    }
    // A text from before the start was not meant for what is pending now.
    if (arrival.isBacklog) return this.#reply(message, 'Beckon was away when you wrote this. Please send it again.');
    // After a lost connection a text arrives late: a "yes" must not approve what its author had not read.
    if (hasChanged || deliveries.hasOpenAfter(message.chat.id, message.message_id)) {
      return this.#reply(message, ASKED_SINCE);
    }
    // A text that arrives twice could answer two questions, so Telegram must first know that it was taken.
    // If the reply is lost, Telegram may know already and not send it again.
    await withTries(() => bot.confirm(arrival.next), { retryMs: settings.retryMs, signal });
    const key = `${message.chat.id} ${from.id}`;
    // A number that was sent before the list of choices was not chosen from it.
    const hasRead = (this.#replied.get(key)?.number ?? 0) < message.message_id;
    const reply = await inbound
      .say(chatId, text, toName(from), undefined, hasRead)
      .catch((error: unknown) => toFailure(error, settings));
    if (reply === null) return;
    const sent = { number: Number.POSITIVE_INFINITY };
    this.#replied.set(key, sent);
    work.inBackground(async () => {
      sent.number = await sender.say(message.chat.id, reply, message.message_id);
    });
  }

  async #hearReply(message: Message, from: User, delivery: Delivery, text: string): Promise<void> {
    if (delivery.interaction === undefined) {
      return this.#reply(message, 'This is settled, or Beckon is still starting. Please send it again in a moment.');
    }
    const input = toTextAnswer(delivery.interaction, text, isDangerous);
    if (input === 'dangerous') {
      return this.#reply(message, explainDanger(assessRisk(delivery.interaction), ALLOW_ANYWAY));
    }
    if (input === null) return this.#reply(message, NOT_BY_TEXT);
    this.#reply(message, (await answer(input, this.#toAnswering(delivery, from))).text);
  }

  #toast(query: CallbackQuery, text: string, isAlert: boolean): void {
    const shown = cutText(toVisibleLine(text), TOAST_CHARS);
    const { bot, work } = this.#options;
    work.inBackground(() => bot.answerPress(query.id, shown, isAlert));
  }

  #reply(message: Message, text: string): void {
    const { sender, work } = this.#options;
    work.inBackground(() => sender.say(message.chat.id, text, message.message_id));
  }

  #repaint(delivery: Delivery): void {
    const { sender, work } = this.#options;
    work.inBackground(() => sender.repaint(delivery));
  }

  #repaintButtons(delivery: Delivery): void {
    const { sender, work } = this.#options;
    work.inBackground(() => sender.repaintButtons(delivery));
  }
}

// Only the last message has buttons.
function isOn(delivery: Delivery, message: number): boolean {
  return delivery.messages.at(-1) === message || delivery.strays.includes(message);
}

/** Whether the person wrote it just now: forwarded, scheduled and other people's words are no answer. */
function isOwnWords(message: Message): boolean {
  return message.forward_origin === undefined && message.via_bot === undefined && message.is_from_offline !== true;
}

// Joining, leaving and pinning are messages too, but nobody said anything.
function isContent(message: Message): boolean {
  return ['photo', 'document', 'voice', 'audio', 'video', 'sticker'].some((kind) => kind in message);
}

/** The person's name for Beckon's log. Only usernames are unique, so other names come with the person's number. */
function toName(user: User): string {
  return user.username === undefined
    ? `${toVisibleLine(user.first_name, 50, 'code')} (${user.id})`
    : `@${user.username}`;
}
