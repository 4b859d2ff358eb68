import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interaction } from '../../protocol/interaction.ts';
import { BotApiServer } from '../../testing/harness/telegram/bot-api.ts';
import { ADA, CHAT } from '../../testing/harness/telegram/use-telegram.ts';
import { type TestedConnector, testConnector } from '../../testing/suites/connector.testsuite.ts';
import { until } from '../../testing/suites/until.ts';
import { createTelegramConnector } from './index.ts';

const BUTTONS: Record<string, string> = { edit: 'keep the context', allow: 'Allow', deny: 'Deny' };

testConnector('Telegram', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-telegram-'));
  return createTested(await BotApiServer.start(), folder);
});

function createTested(server: BotApiServer, folder: string): TestedConnector {
  const connector = createTelegramConnector({
    momentMs: 0,
    token: server.token,
    chats: [CHAT],
    apiRoot: server.url,
    retryMs: 10,
    stateFile: join(folder, 'telegram.json'),
    onError: () => undefined,
  });
  return {
    connector,
    chatId: String(CHAT),
    seen: () => [...server.messages.map(({ text }) => text), ...server.toasts.values()].join('\n'),
    choose: async (interaction, choice) => {
      const message = await until(() => {
        const found = server.messages.findLast(
          ({ text, buttons }) => buttons.length > 0 && text.includes(toText(interaction)),
        );
        if (found === undefined) throw new Error(`Nothing to press for ${interaction.id}`);
        return found;
      });
      server.press(message, ADA, BUTTONS[choice] ?? choice);
    },
    write: async (text) => void server.say(CHAT, ADA, text),
    failSends: (count) => server.failSends(count),
    restart: async () => createTested(server, folder),
    dispose: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What only the message of this interaction says. */
function toText(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return interaction.request.question;
    case 'approval':
      return interaction.request.tool;
    default:
      return 'Write it down.';
  }
}
