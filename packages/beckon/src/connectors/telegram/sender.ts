import type { InlineKeyboardMarkup } from 'grammy/types';
import { toVisible } from '../../presentation/visible.ts';
import type { Context } from '../../protocol/context.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { sealButton } from '../shared/button-data.ts';
import { cutText } from '../shared/cut-text.ts';
import { toEarlierLines } from '../shared/request-text.ts';
import { gatherSurroundings } from '../shared/surroundings.ts';
import type { Work } from '../shared/work.ts';
import type { BotApi } from './bot-api.ts';
import { toButtons } from './choices.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import { MESSAGE_CHARS, type Rendered, render, withOutcome } from './render.ts';
import type { Settings } from './settings.ts';

/** What a sender needs. */
export interface SenderOptions {
  settings: Settings;
  bot: BotApi;
  deliveries: Deliveries;
  /** Everything that surrounds an interaction. */
  readContext: (id: string) => Promise<Context | null>;
  work: Work;
}

const MOST_SAID = 1000;

/** Everything that the bot writes into chats. What concerns one interaction happens in order. */
export class Sender {
  readonly #options: SenderOptions;
  /** The last messages that show no interaction: a reply to one of them is a plain text. */
  readonly #said: string[] = [];

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends or repaints the delivery of an interaction. A step of a call takes the message of the one before it. */
  async show(interaction: Interaction, chat: number, earlier: readonly Interaction[] = []): Promise<void> {
    const delivery = this.#options.deliveries.of(interaction, chat);
    delivery.earlier = toEarlierLines(earlier);
    await this.#inOrder(delivery, () => this.#paint(delivery, interaction));
  }

  /** Says below the delivery of an interaction how it ended, and takes its buttons away. */
  async settle(interaction: Interaction): Promise<void> {
    const delivery = this.#options.deliveries.get(interaction.id);
    if (delivery === undefined) return;
    // A `show` that still waits for Telegram sees this, and sends nothing more.
    delivery.interaction = interaction;
    await this.#inOrder(delivery, () => this.#close(delivery, interaction));
  }

  /** Repaints the buttons of a delivery after its marks have changed. */
  async repaintButtons(delivery: Delivery): Promise<void> {
    await this.#inOrder(delivery, async () => {
      const shown = delivery.messages.at(-1);
      const { chat, interaction } = delivery;
      if (delivery.isClosed || interaction === undefined || shown === undefined) return;
      const keyboard = this.#toKeyboard(delivery, interaction);
      for (const id of [shown, ...delivery.strays]) await this.#options.bot.editKeyboard(chat, id, keyboard);
    });
  }

  /** Shows the second step of allowing what is dangerous, or the first one again. Presses count after a moment. */
  async repaint(delivery: Delivery): Promise<void> {
    await this.#inOrder(delivery, async () => {
      const { chat, interaction } = delivery;
      if (delivery.isClosed || interaction?.status !== 'pending') return;
      const last = (await this.#render(delivery, interaction)).messages.at(-1);
      const shown = delivery.messages.at(-1);
      if (last === undefined || shown === undefined) return;
      const keyboard = this.#toKeyboard(delivery, interaction);
      for (const id of [shown, ...delivery.strays]) await this.#options.bot.edit(chat, id, last, keyboard);
      delivery.shownAt = performance.now();
    });
  }

  /** Says something that is no interaction, and gives the number of the message. */
  async say(chat: number, text: string, replyTo?: number): Promise<number> {
    const message = { text: cutText(toVisible(text), MESSAGE_CHARS), entities: [] };
    const id = await this.#options.bot.send(chat, message, replyTo === undefined ? {} : { replyTo });
    this.#said.push(`${chat} ${id}`);
    if (this.#said.length > MOST_SAID) this.#said.shift();
    return id;
  }

  /** Whether `say` sent a message. */
  hasSaid(chat: number, message: number | undefined): boolean {
    return this.#said.includes(`${chat} ${message}`);
  }

  /** Resolves when what is being sent or repainted for a delivery is done. */
  whenIdle(delivery: Delivery): Promise<void> {
    return this.#inOrder(delivery, () => Promise.resolve());
  }

  // Sends what was not sent yet, so a show that failed half-way goes on where it was. Where all was sent, it repaints.
  async #paint(delivery: Delivery, interaction: Interaction): Promise<void> {
    const { bot, deliveries } = this.#options;
    if (delivery.isClosed) return;
    const rendered = await this.#render(delivery, interaction);
    const { document, messages } = rendered;
    const last = messages.at(-1);
    const first = document === undefined ? 0 : 1;
    const total = first + messages.length;
    if (last === undefined) return;
    if (delivery.messages.length === 0 && (await this.#takeOver(delivery, rendered, interaction))) return;
    const shown = delivery.messages.at(-1);
    if (shown !== undefined && delivery.messages.length >= total) {
      if (await bot.edit(delivery.chat, shown, last, this.#toKeyboard(delivery, interaction))) return;
      // The person deleted it, so it is not a second question.
      delivery.messages = [];
    }
    while (delivery.messages.length < total && delivery.interaction?.status === 'pending') {
      const index = delivery.messages.length - first;
      const message = messages[index];
      const sent =
        message === undefined
          ? await bot.sendDocument(delivery.chat, document ?? { name: '', text: '' })
          : await bot.send(delivery.chat, message, {
              ...(message === last && { keyboard: this.#toKeyboard(delivery, interaction) }),
              onLost: () => {
                delivery.mayHaveStrays = true;
              },
            });
      delivery.messages.push(sent);
      delivery.shownAt = performance.now();
      deliveries.save();
    }
  }

  /** Shows a step in the message of the step before it, so that a call is one message in the chat. */
  async #takeOver(delivery: Delivery, { document, messages }: Rendered, interaction: Interaction): Promise<boolean> {
    const { bot, deliveries } = this.#options;
    const before = deliveries.findStepBefore(delivery);
    const [message] = before?.messages ?? [];
    const [only] = messages;
    const fits = document === undefined && messages.length === 1;
    if (before === undefined || message === undefined || only === undefined || !fits) return false;
    const edited = await bot.edit(delivery.chat, message, only, this.#toKeyboard(delivery, interaction));
    // Its buttons are gone, and so is what it asked.
    before.isClosed = true;
    if (edited === null) return false;
    delivery.messages = [message];
    delivery.beganAt = edited.at ?? Math.floor(Date.now() / 1000);
    delivery.shownAt = performance.now();
    deliveries.save();
    return true;
  }

  async #render(delivery: Delivery, interaction: Interaction): Promise<Rendered> {
    return render(interaction, await gatherSurroundings(delivery, interaction, this.#options.readContext));
  }

  async #close(delivery: Delivery, interaction: Interaction): Promise<void> {
    const { bot, deliveries } = this.#options;
    if (delivery.second !== undefined) delivery.second.by = null;
    // The press that settled it has closed it already.
    if (delivery.isClosed && delivery.strays.length === 0) return;
    const { document, messages } = await this.#render(delivery, interaction);
    const shown = delivery.messages.at(-1);
    const last = messages[delivery.messages.length - 1 - (document === undefined ? 0 : 1)];
    const stray = messages.at(-1);
    if (!delivery.isClosed && shown !== undefined && last !== undefined) {
      await bot.edit(delivery.chat, shown, withOutcome(last, interaction));
    }
    for (const id of stray === undefined ? [] : delivery.strays) {
      if (stray !== undefined) await bot.edit(delivery.chat, id, withOutcome(stray, interaction));
    }
    delivery.strays = [];
    delivery.isClosed = true;
    deliveries.save();
  }

  #toKeyboard({ key, chat, id, chosen, second }: Delivery, interaction: Interaction): InlineKeyboardMarkup {
    const { secret } = this.#options.settings;
    const isAsking = second?.by != null;
    const rows = toButtons(interaction, new Set(chosen), { round: second?.round ?? 0, isAsking });
    return {
      inline_keyboard: rows.map((row) =>
        row.map(({ text, choice }) => ({
          text,
          callback_data: sealButton(secret, { key, chat, interactionId: id, choice }),
        })),
      ),
    };
  }

  // The steps of a call share a message, so what concerns them happens in order too.
  #inOrder({ id, call = id }: Delivery, work: () => Promise<void>): Promise<void> {
    return this.#options.work.inOrder(call, work);
  }
}
