import type { Connector, Inbound } from '../../core/connector.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { withTries } from '../shared/tries.ts';
import { Work } from '../shared/work.ts';
import { openBotApi } from './bot-api.ts';
import { Deliveries } from './deliveries.ts';
import { Listener } from './listener.ts';
import { poll } from './poll.ts';
import { Sender } from './sender.ts';
import { parseSettings, type Settings, type TelegramOptions } from './settings.ts';

/** Shows interactions in Telegram and brings answers back. Needs the package `grammy`. Throws `invalid_input`. */
export function createTelegramConnector(options: TelegramOptions): Connector {
  return new TelegramConnector(parseSettings(options));
}

/** New until `start`, then running until `stop`; it does not start again. The sender writes, the listener reads. */
class TelegramConnector implements Connector {
  readonly name = 'telegram';
  readonly #settings: Settings;
  readonly #deliveries: Deliveries;
  readonly #stopping = new AbortController();
  readonly #work: Work;
  #sender: Sender | undefined;
  #polling: Promise<void> = Promise.resolve();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#deliveries = new Deliveries(settings.stateFile);
    this.#work = new Work({ ...settings, signal: this.#stopping.signal });
  }

  reaches(chatId: string): boolean {
    return this.#settings.chats.has(chatId);
  }

  async start(inbound: Inbound): Promise<void> {
    const settings = this.#settings;
    const deliveries = this.#deliveries;
    const { signal } = this.#stopping;
    const { pollSeconds, retryMs, onError } = settings;
    deliveries.load();
    const bot = await openBotApi(settings, signal);
    await withTries(() => bot.begin(), { retryMs, signal });
    const work = this.#work;
    const sender = new Sender({ settings, bot, deliveries, work, readContext: (id) => inbound.context(id) });
    const listener = new Listener({ settings, bot, deliveries, sender, inbound, work, signal });
    this.#sender = sender;
    this.#polling = poll({ bot, signal, pollSeconds, retryMs, onError, take: listener.take.bind(listener) });
  }

  async show(interaction: Interaction, earlier?: readonly Interaction[]): Promise<void> {
    const chat = this.#toChat(interaction.chatId);
    await this.#running().show(interaction, chat, earlier);
  }

  async settle(interaction: Interaction): Promise<void> {
    await this.#sender?.settle(interaction);
  }

  listOpen(): readonly string[] {
    return this.#deliveries.listOpen();
  }

  async prompt(chatId: string, text: string): Promise<void> {
    const chat = this.#toChat(chatId);
    await this.#running().say(chat, text);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
    await this.#work.finish();
  }

  #running(): Sender {
    if (this.#sender !== undefined && !this.#stopping.signal.aborted) return this.#sender;
    throw new BeckonError('closed', 'The Telegram connector does not run');
  }

  #toChat(chatId: string): number {
    const chat = this.#settings.chats.get(chatId);
    if (chat !== undefined) return chat;
    throw new BeckonError('undeliverable', `The chat ${JSON.stringify(chatId)} is not among the Telegram chats`);
  }
}
