import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { createTelegramConnector } from '../../../connectors/telegram/index.ts';
import type { Stranger, TelegramOptions } from '../../../connectors/telegram/settings.ts';
import { runConnector } from '../../../coordinator/run-connector.ts';
import type { Beckon } from '../../../core/beckon.ts';
import { openBeckon } from '../../../open-beckon.ts';
import type { AskInput, Interaction } from '../../../protocol/interaction.ts';
import { until } from '../../suites/until.ts';
import { BotApiServer, type Person, type SeenMessage } from './bot-api.ts';

export const ADA: Person = { id: 1001, first_name: 'Ada', username: 'ada' };
export const EVE: Person = { id: 6666, first_name: 'Eve' };
/** Ada's private chat. */
export const CHAT = 1001;

/**
 * For each test around it a Beckon, a stand-in for Telegram, and what joins them. The stand-in must have found no
 * fault, and Node no leak.
 */
export function useTelegram() {
  let folder: string;
  let server: BotApiServer;
  let beckon: Beckon;
  let running: { stop(): Promise<void> }[];
  const errors: unknown[] = [];
  const strangers: Stranger[] = [];
  const leaks: Error[] = [];
  const onWarning = (warning: Error): void => {
    if (warning.name === 'MaxListenersExceededWarning') leaks.push(warning);
  };

  beforeEach(async () => {
    process.on('warning', onWarning);
    folder = mkdtempSync(join(tmpdir(), 'beckon-telegram-'));
    server = await BotApiServer.start();
    beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
    running = [];
    errors.length = 0;
    strangers.length = 0;
  });
  afterEach(async () => {
    for (const connector of running) await connector.stop();
    await beckon.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    process.off('warning', onWarning);
    expect({ faults: server.faults, leaks }).toEqual({ faults: [], leaks: [] });
  });

  return {
    errors,
    strangers,
    get server() {
      return server;
    },
    get beckon() {
      return beckon;
    },
    get stateFile() {
      return join(folder, 'telegram.json');
    },
    options: (changes: Partial<TelegramOptions> = {}): TelegramOptions => ({
      token: server.token,
      chats: [CHAT],
      apiRoot: server.url,
      retryMs: 10,
      pollSeconds: 20,
      momentMs: 0,
      onError: (error) => errors.push(error),
      onIgnored: (stranger) => strangers.push(stranger),
      ...changes,
    }),
    /** Runs a connector on the Beckon until it is stopped, or the test ends. It listens live when this resolves. */
    async run(changes: Partial<TelegramOptions> = {}): Promise<{ stop(): Promise<void> }> {
      const { polls } = server;
      const connector = createTelegramConnector(this.options(changes));
      const connected = await runConnector({ beckon, connector, onError: (error) => errors.push(error) });
      running.push(connected);
      await until(() => expect(server.polls).toBeGreaterThan(polls + 1));
      return connected;
    },
    ask: (input: AskInput): Promise<Interaction> => beckon.ask({ chatId: String(CHAT), ...input } as AskInput),
    /** The message that contains a text, when it is there. */
    see: (text: string): Promise<SeenMessage> =>
      until(() => {
        const found = server.messages.findLast((message) => message.text.includes(text));
        if (found === undefined) throw new Error(`No message has ${text}: ${JSON.stringify(server.messages)}`);
        return found;
      }),
    /** What is read over the chat after a press. */
    toast: (press: string): Promise<string> =>
      until(() => {
        const text = server.toasts.get(press);
        if (text === undefined) throw new Error(`The press ${press} was not answered`);
        return text;
      }),
  };
}
