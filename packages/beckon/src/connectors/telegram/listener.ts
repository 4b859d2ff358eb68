import type { CallbackQuery, Message, Update, User } from 'grammy/types';
import type { AnswerResult } from '../../core/beckon.ts';
import type { Inbound } from '../../core/connector.ts';
import { toTextAnswer } from '../../core/route-text.ts';
import { ALLOW_ANYWAY } from '../../core/words.ts';
import { describeOutcome } from '../../presentation/describe-outcome.ts';
import { explainDanger } from '../../presentation/describe-risk.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { isDangerous } from '../../risk/is-dangerous.ts';
import type { BotApi } from './bot-api.ts';
import { isGenuine, readButton } from './button-data.ts';
import { toPress } from './choices.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import type { Sender } from './sender.ts';
import type { Settings } from './settings.ts';
import { cutText } from './split.ts';
import { withTries } from './tries.ts';

const HELP = 'Agents ask you here. Press a button below a question, or reply to it in your own words.';
const ASKED_SINCE =
  'Something was asked after you wrote this, so it was not used. ' +
  'Please send it again, or reply to the message that you mean.';
const NOT_VALID = 'This button is not valid here.';
const TOO_SOON =
  'This came too soon after another press, or after the message, so it was not used. Look again, then press.';
const MARKS_CHANGED = 'The marks have changed, so this was not sent. Look at them, then press Done.';
const OTHER_FACE = 'This message has changed since, so nothing was sent. Look again, then press.';
const OTHER_PERSON = 'Somebody else began to allow this. To allow it yourself, press Back, then Allow.';
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
  signal: AbortSignal;
}

/** Brings presses and texts to Beckon, but only from listed chats and people, and only for buttons that we made. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #strangers = new Set<string>();
  /** The delivery whose button each person pressed last, and when. */
  readonly #pressed = new Map<number, { key: string; at: number }>();
  /** The message number of the last reply to a plain text, by chat and person; infinite while it is being sent. */
  readonly #replied = new Map<string, { number: number }>();

  constructor(options: ListenerOptions) {
    this.#options = options;
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
    const isTooSoon = !isBacklog && this.#isTooSoon(delivery, query.from);
    switch (press.type) {
      case 'answer':
        if (isTooSoon && !delivery.isClosed) return this.#toast(query, TOO_SOON, true);
        try {
          if (choice === 'allow' && (await this.#isDangerous(delivery))) return this.#begin(query, delivery);
        } catch (error) {
          return this.#toast(query, this.#toFailure(error), true);
        }
        return this.#toast(query, ...(await this.#answer(delivery, press.answer, query.from)));
      case 'anyway': {
        if (delivery.isClosed) return this.#toast(query, toSettledText(delivery.interaction), true);
        if (isTooSoon) return this.#toast(query, TOO_SOON, true);
        const { round, by } = delivery.second ?? { round: 0, by: null };
        if (by === null || press.round !== round) {
          this.#repaint(delivery);
          return this.#toast(query, OTHER_FACE, true);
        }
        if (by !== query.from.id) return this.#toast(query, OTHER_PERSON, true);
        return this.#toast(query, ...(await this.#answer(delivery, { decision: 'allow' }, query.from)));
      }
      case 'back':
        if (delivery.isClosed) return this.#toast(query, toSettledText(delivery.interaction), true);
        delivery.second = { round: delivery.second?.round ?? 0, by: null };
        this.#repaint(delivery);
        return this.#toast(query, '', false);
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

  /** The first press of "Allow" on what is dangerous asks for a second one, on another place. */
  #begin(query: CallbackQuery, delivery: Delivery): void {
    const { round, by } = delivery.second ?? { round: 0, by: null };
    // Pressed before the second step was on the screen.
    if (by === query.from.id) return this.#toast(query, '', false);
    delivery.second = { round: round + 1, by: query.from.id };
    this.#repaint(delivery);
    this.#toast(query, 'This is dangerous. Read why, then press Allow anyway.', false);
  }

  /** Right after a restart the delivery does not know its interaction yet. */
  async #isDangerous(delivery: Delivery): Promise<boolean> {
    const interaction = delivery.interaction ?? (await this.#options.inbound.get(delivery.id));
    if (interaction === null) return false;
    delivery.interaction = interaction;
    return interaction.status === 'pending' && isDangerous(interaction);
  }

  /** Whether the press may be a double tap meant for another message, or may have hit a message that just appeared. */
  #isTooSoon(delivery: Delivery, from: User): boolean {
    const { momentMs } = this.#options.settings;
    const now = performance.now();
    const last = this.#pressed.get(from.id);
    this.#pressed.set(from.id, { key: delivery.key, at: now });
    if (last !== undefined && last.key !== delivery.key && now - last.at < momentMs) return true;
    return delivery.shownAt !== undefined && now - delivery.shownAt < momentMs;
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
    if (delivery.isClosed && delivery.interaction !== undefined) this.#close(delivery.interaction);
    return delivery;
  }

  async #hear(message: Message, from: User, arrival: { isBacklog: boolean; next: number }): Promise<void> {
    const { settings, bot, deliveries, sender, inbound, signal } = this.#options;
    const { text } = message;
    const chatId = settings.chatIds.get(message.chat.id);
    if (chatId === undefined) return;
    if (text === undefined) {
      if (isContent(message)) this.#reply(message, 'Beckon only reads text.');
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
      .catch((error: unknown) => this.#toFailure(error));
    if (reply === null) return;
    const sent = { number: Number.POSITIVE_INFINITY };
    this.#replied.set(key, sent);
    sender.inBackground(async () => {
      sent.number = await sender.say(message.chat.id, reply, message.message_id);
    });
  }

  async #hearReply(message: Message, from: User, delivery: Delivery, text: string): Promise<void> {
    if (delivery.interaction === undefined) {
      return this.#reply(message, 'This is settled, or Beckon is still starting. Please send it again in a moment.');
    }
    const answer = toTextAnswer(delivery.interaction, text, isDangerous);
    if (answer === 'dangerous') {
      return this.#reply(message, explainDanger(assessRisk(delivery.interaction), ALLOW_ANYWAY));
    }
    if (answer === null) return this.#reply(message, 'This cannot be answered by a text.');
    const [reply] = await this.#answer(delivery, answer, from);
    this.#reply(message, reply);
  }

  /** Sends an answer to Beckon. Returns what the person reads, and whether it needs their attention. */
  async #answer(delivery: Delivery, answer: AnswerInput, from: User): Promise<[text: string, isAlert: boolean]> {
    let outcome: AnswerResult;
    try {
      outcome = await this.#options.inbound.answer(delivery.id, answer, toName(from));
    } catch (error) {
      return [this.#toFailure(error), true];
    }
    const { result, interaction } = outcome;
    if (interaction === null) return ['Beckon no longer knows this.', true];
    delivery.interaction = interaction;
    if (interaction.status !== 'pending') this.#close(interaction);
    if (result === 'accepted' || result === 'repeated') {
      return [
        interaction.awaitingFeedback && interaction.status === 'pending' ? 'What should change?' : 'Response received.',
        false,
      ];
    }
    return [toSettledText(interaction), true];
  }

  #toFailure(error: unknown): string {
    if (error instanceof BeckonError && error.code === 'invalid_answer') return error.message;
    this.#options.settings.onError(error);
    return 'Beckon could not take this. Please try again.';
  }

  #toast(query: CallbackQuery, text: string, isAlert: boolean): void {
    const shown = cutText(toVisibleLine(text), TOAST_CHARS);
    const { bot, sender } = this.#options;
    sender.inBackground(() => bot.answerPress(query.id, shown, isAlert));
  }

  #reply(message: Message, text: string): void {
    const { sender } = this.#options;
    sender.inBackground(() => sender.say(message.chat.id, text, message.message_id));
  }

  #repaint(delivery: Delivery): void {
    const { sender } = this.#options;
    sender.inBackground(() => sender.repaint(delivery));
  }

  #repaintButtons(delivery: Delivery): void {
    const { sender } = this.#options;
    sender.inBackground(() => sender.repaintButtons(delivery));
  }

  // It is settled, perhaps elsewhere, and nobody may tell this connector.
  #close(interaction: Interaction): void {
    const { sender } = this.#options;
    sender.inBackground(() => sender.settle(interaction));
  }
}

// Only the last message has buttons.
function isOn(delivery: Delivery, message: number): boolean {
  return delivery.messages.at(-1) === message || delivery.strays.includes(message);
}

function toSettledText(interaction: Interaction | undefined): string {
  if (interaction === undefined) return 'This is settled.';
  const outcome = describeOutcome(interaction);
  return interaction.status === 'answered'
    ? `Already ${outcome.slice(0, 1).toLowerCase()}${outcome.slice(1)}`
    : outcome;
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
