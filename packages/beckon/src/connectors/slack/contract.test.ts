import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interaction } from '../../protocol/interaction.ts';
import { Person } from '../../testing/harness/slack/person.ts';
import { SlackServer } from '../../testing/harness/slack/slack-server.ts';
import { type KeptMessage, see } from '../../testing/harness/slack/slack-workspace.ts';
import { type TestedConnector, testConnector } from '../../testing/suites/connector.testsuite.ts';
import { until } from '../../testing/suites/until.ts';
import { createSlackConnector } from './index.ts';

const LABELS: Record<string, string> = { edit: 'keep the context', allow: 'Allow', deny: 'Deny' };

testConnector('Slack', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-slack-'));
  return createTested(await SlackServer.start(), folder);
});

function createTested(server: SlackServer, folder: string): TestedConnector {
  const ada = new Person(server, 'U1ADA');
  const connector = createSlackConnector({
    botToken: server.botToken,
    appToken: server.appToken,
    channels: { team: 'C100' },
    users: { [ada.id]: 'ada' },
    apiRoot: server.apiRoot,
    momentMs: 0,
    retryMs: 10,
    stateFile: join(folder, 'slack.json'),
  });
  const findOpen = (text: string): Promise<KeptMessage> =>
    until(() => {
      const found = server.messages.findLast((message) => {
        const seen = see(message);
        return seen.controls.length > 0 && seen.text.includes(text);
      });
      if (found === undefined) throw new Error(`Nothing to press for ${text}`);
      return found;
    });
  return {
    connector,
    chatId: 'team',
    seen: () =>
      [...server.messages.map((message) => see(message).text), ...server.whispers.map(({ text }) => text)].join('\n'),
    choose: async (interaction, choice) =>
      void ada.press(await findOpen(toText(interaction)), LABELS[choice] ?? choice),
    // A text belongs into the thread of the request.
    write: async (text) => void ada.say(text, await findOpen('Write it down.')),
    failSends: (count) => server.failPosts(count),
    restart: async () => createTested(server, folder),
    leftovers: () => [...Array.from({ length: server.sockets.count }, () => 'a connection'), ...server.faults],
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
