import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Connector, Inbound } from '../../core/connector.ts';
import { toVisible } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { type BotApi, openBotApi } from './bot-api.ts';
import { sealButton } from './button-data.ts';
import { toButtons } from './choices.ts';
import { Copies, type Copy } from './copies.ts';
import { Listener } from './listener.ts';
import { poll } from './poll.ts';
import { MESSAGE_CHARS, render, withOutcome } from './render.ts';
import { parseSettings, type Settings, type TelegramOptions } from './settings.ts';
import { cutText } from './split.ts';

const MOST_SAID = 1000;

/** Shows interactions in Telegram and brings answers back. Needs the package `grammy`. Throws `invalid_input` for bad options. */
export function createTelegramConnector(options: TelegramOptions): Connector {
  return new TelegramConnector(parseSettings(options));
}

/** New until `start`, then running until `stop`; it does not start again. What concerns one interaction happens in order. */
class TelegramConnector implements Connector {
  readonly name = 'telegram';
  readonly #settings: Settings;
  readonly #copies: Copies;
  readonly #stopping = new AbortController();
  readonly #queues = new Map<string, Promise<void>>();
  readonly #background = new Set<Promise<void>>();
  /** Interactions that are settled: a `show` that still waits for Telegram sends nothing more. */
  readonly #settling = new Set<string>();
  /** The last messages that are no interactions: a reply to one of them is a plain text. */
  readonly #said: string[] = [];
  #bot: BotApi | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#copies = new Copies(settings.stateFile);
  }

  reaches(chatId: string): boolean {
    return this.#settings.chats.has(chatId);
  }

  async start(inbound: Inbound): Promise<void> {
    const { signal } = this.#stopping;
    this.#copies.load();
    const bot = await openBotApi(this.#settings, signal);
    await bot.begin();
    this.#bot = bot;
    const listener = new Listener({
      settings: this.#settings,
      bot,
      copies: this.#copies,
      inbound,
      repaintButtons: (copy) => this.#inBackground(this.#inOrder(copy.id, () => this.#repaintButtons(copy))),
      close: (interaction) => this.#inBackground(this.settle(interaction)),
      whenIdle: (id) => this.#inOrder(id, () => Promise.resolve()),
      say: (chat, text, replyTo) => this.#say(chat, text, replyTo),
      hasSaid: (chat, message) => this.#said.includes(`${chat} ${message}`),
      inBackground: (work) => this.#inBackground(work),
    });
    const { pollSeconds, retryMs, onError } = this.#settings;
    const take = listener.take.bind(listener);
    this.#polling = poll({ bot, signal, pollSeconds, retryMs, onError, take });
  }

  async show(interaction: Interaction): Promise<void> {
    const chat = this.#settings.chats.get(interaction.chatId);
    if (chat === undefined) throw this.#notReached(interaction.chatId);
    const copy = this.#copies.of(interaction, chat);
    await this.#inOrder(interaction.id, () => this.#paint(copy, interaction));
  }

  async settle(interaction: Interaction): Promise<void> {
    const copy = this.#copies.get(interaction.id);
    if (copy === undefined) return;
    copy.interaction = interaction;
    this.#settling.add(interaction.id);
    await this.#inOrder(interaction.id, () => this.#close(copy, interaction));
    this.#settling.delete(interaction.id);
  }

  listOpen(): readonly string[] {
    return this.#copies.listOpen();
  }

  async prompt(chatId: string, text: string): Promise<void> {
    const chat = this.#settings.chats.get(chatId);
    if (chat === undefined) throw this.#notReached(chatId);
    await this.#say(chat, text);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
    await Promise.allSettled([...this.#background, ...this.#queues.values()]);
  }

  async #say(chat: number, text: string, replyTo?: number): Promise<number> {
    const message = { text: cutText(toVisible(text), MESSAGE_CHARS), entities: [] };
    const id = await this.#running().send(chat, message, replyTo === undefined ? {} : { replyTo });
    this.#said.push(`${chat} ${id}`);
    if (this.#said.length > MOST_SAID) this.#said.shift();
    return id;
  }

  // Sends what was not sent yet, so a show that failed half-way goes on where it was; all there means a repaint.
  async #paint(copy: Copy, interaction: Interaction): Promise<void> {
    const bot = this.#running();
    const { document, messages } = render(interaction);
    const last = messages.at(-1);
    const first = document === undefined ? 0 : 1;
    const total = first + messages.length;
    const shown = copy.messages.at(-1);
    if (copy.isClosed || last === undefined) return;
    if (shown !== undefined && copy.messages.length >= total) {
      if (await bot.edit(copy.chat, shown, last, this.#toKeyboard(copy, interaction))) return;
      // The person deleted it, so it is not a second question.
      copy.messages = [];
    }
    while (copy.messages.length < total && !this.#settling.has(copy.id)) {
      const index = copy.messages.length - first;
      const message = messages[index];
      const sent =
        message === undefined
          ? await bot.sendDocument(copy.chat, document ?? { name: '', text: '' })
          : await bot.send(copy.chat, message, {
              ...(message === last && { keyboard: this.#toKeyboard(copy, interaction) }),
              onLost: () => {
                copy.mayHaveStrays = true;
              },
            });
      copy.messages.push(sent);
      copy.shownAt = performance.now();
      this.#copies.save();
    }
  }

  async #close(copy: Copy, interaction: Interaction): Promise<void> {
    const bot = this.#running();
    const { document, messages } = render(interaction);
    const shown = copy.messages.at(-1);
    const last = messages[copy.messages.length - 1 - (document === undefined ? 0 : 1)];
    const stray = messages.at(-1);
    if (!copy.isClosed && shown !== undefined && last !== undefined) {
      await bot.edit(copy.chat, shown, withOutcome(last, interaction));
    }
    for (const id of stray === undefined ? [] : copy.strays) {
      if (stray !== undefined) await bot.edit(copy.chat, id, withOutcome(stray, interaction));
    }
    copy.strays = [];
    copy.isClosed = true;
    this.#copies.save();
  }

  async #repaintButtons(copy: Copy): Promise<void> {
    const shown = copy.messages.at(-1);
    const { interaction } = copy;
    if (copy.isClosed || interaction === undefined || shown === undefined) return;
    const keyboard = this.#toKeyboard(copy, interaction);
    for (const id of [shown, ...copy.strays]) await this.#running().editKeyboard(copy.chat, id, keyboard);
  }

  #toKeyboard(copy: Copy, interaction: Interaction): InlineKeyboardMarkup {
    const { secret } = this.#settings;
    const at = { key: copy.key, chat: copy.chat, interactionId: copy.id };
    const rows = toButtons(interaction, new Set(copy.chosen));
    return {
      inline_keyboard: rows.map((row) =>
        row.map(({ text, choice }) => ({ text, callback_data: sealButton(secret, { ...at, choice }) })),
      ),
    };
  }

  #inOrder(id: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#queues.get(id) ?? Promise.resolve()).then(work);
    const quiet = done
      .catch(() => undefined)
      .then(() => {
        if (this.#queues.get(id) === quiet) this.#queues.delete(id);
      });
    this.#queues.set(id, quiet);
    return done;
  }

  #inBackground(work: Promise<unknown>): void {
    const task = work
      .then(
        () => undefined,
        (error: unknown) => {
          if (!this.#stopping.signal.aborted) this.#settings.onError(error);
        },
      )
      .finally(() => this.#background.delete(task));
    this.#background.add(task);
  }

  #running(): BotApi {
    if (this.#bot !== undefined && !this.#stopping.signal.aborted) return this.#bot;
    throw new BeckonError('closed', 'The Telegram connector does not run');
  }

  #notReached(chatId: string): BeckonError {
    return new BeckonError('undeliverable', `The chat ${JSON.stringify(chatId)} is not among the Telegram chats`);
  }
}
