import type { Connector, Inbound } from '../../core/connector.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { withTries } from '../shared/tries.ts';
import { Work } from '../shared/work.ts';
import { checkAccess } from './check-access.ts';
import { Deliveries, type Delivery } from './deliveries.ts';
import { Listener } from './listener.ts';
import { loadLibraries } from './load-libraries.ts';
import { Place } from './place.ts';
import { Sender } from './sender.ts';
import { parseSettings, type Settings, type SlackOptions } from './settings.ts';
import { type Envelope, Socket } from './socket.ts';
import { ThreadReader } from './threads.ts';
import { SlackApi } from './web-api.ts';
import type { MessageEvent } from './wire.ts';

/**
 * Shows interactions in Slack and brings answers back. Needs the packages `@slack/web-api` and `@slack/socket-mode`.
 * Throws `invalid_input`.
 */
export function createSlackConnector(options: SlackOptions): Connector {
  return new SlackConnector(parseSettings(options));
}

/** New until `start`, then running until `stop`; it does not start again. The sender writes, the listener reads. */
class SlackConnector implements Connector {
  readonly name = 'slack';
  readonly #settings: Settings;
  readonly #deliveries: Deliveries;
  readonly #stopping = new AbortController();
  readonly #work: Work;
  #sender: Sender | undefined;
  #socket: Socket | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#deliveries = new Deliveries(settings.stateFile);
    this.#work = new Work({ ...settings, signal: this.#stopping.signal });
  }

  reaches(chatId: string): boolean {
    return this.#settings.channels.has(chatId);
  }

  async start(inbound: Inbound): Promise<void> {
    const settings = this.#settings;
    const deliveries = this.#deliveries;
    const work = this.#work;
    const { signal } = this.#stopping;
    deliveries.load();
    const libraries = await loadLibraries();
    const api = new SlackApi(libraries.web, settings, signal);
    await withTries(() => checkAccess(api, settings), { ...settings, signal });
    const hear = (message: MessageEvent): void => listener.hear(message);
    const reader = new ThreadReader({ api, deliveries, settings, signal, work, hear });
    const readContext = (id: string) => inbound.context(id);
    const onFound = ({ id }: Delivery): void => reader.read([id]);
    const sender = new Sender({ settings, api, deliveries, readContext, work, signal, onFound });
    const listener = new Listener(new Place({ settings, api, deliveries, sender, inbound, work }));
    const take = (envelope: Envelope): void => listener.take(envelope);
    const socket = new Socket({ libraries, settings, signal, take, onGap: () => reader.readAll() });
    await withTries(() => socket.start(), { ...settings, signal });
    this.#sender = sender;
    this.#socket = socket;
    reader.readAll();
  }

  async show(interaction: Interaction, earlier?: readonly Interaction[]): Promise<void> {
    await this.#running().show(interaction, this.#toChannel(interaction.chatId), earlier);
  }

  async settle(interaction: Interaction): Promise<void> {
    await this.#sender?.settle(interaction);
  }

  listOpen(): readonly string[] {
    return this.#deliveries.listOpen();
  }

  async prompt(chatId: string, text: string, about = ''): Promise<void> {
    const thread = this.#deliveries.get(about)?.ts;
    await this.#running().say(this.#toChannel(chatId), text, { thread, isForAll: true });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#socket?.stopped();
    await this.#work.finish();
  }

  #running(): Sender {
    if (this.#sender !== undefined && !this.#stopping.signal.aborted) return this.#sender;
    throw new BeckonError('closed', 'The Slack connector does not run');
  }

  #toChannel(chatId: string): string {
    const channel = this.#settings.channels.get(chatId);
    if (channel !== undefined) return channel;
    throw new BeckonError('undeliverable', `The chat ${JSON.stringify(chatId)} is not among the Slack channels`);
  }
}
