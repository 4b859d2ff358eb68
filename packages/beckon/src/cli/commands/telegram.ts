import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { TelegramOptions } from '../../connectors/telegram/index.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { note } from '../output.ts';
import { createLossReport, report, runInForeground } from '../run-in-foreground.ts';

interface TelegramCommandOptions extends ClientOptions {
  chat: Record<string, string>;
  user?: string[];
}

export function createTelegram(): Command {
  return addClientOptions(
    createCommand('telegram', {
      summary: 'Show pending requests in Telegram and take answers there. Stop with Ctrl-C.',
      examples: [
        ['beckon telegram --chat 1001', 'use a private chat; ask there with "beckon ask … --chat 1001"'],
        ['beckon telegram --chat default=1001', 'use it for everything asked without --chat'],
        ['beckon telegram --chat -1005 --user 1001 --user 1002', 'use a group, and name who may answer in it'],
      ],
      more: 'Set BECKON_TELEGRAM_TOKEN to the token of your bot. docs/telegram.md shows how to get one.',
    })
      .requiredOption('--chat <id>', 'a Telegram chat, or CHAT=ID to give it another name in Beckon', addChat)
      .option(
        '--user <id>',
        'the number of a person who may answer; repeatable',
        (id, others: string[] | undefined) => [...(others ?? []), id],
      ),
  ).action(runTelegram);
}

async function runTelegram(options: TelegramCommandOptions): Promise<void> {
  const token = process.env['BECKON_TELEGRAM_TOKEN'];
  if (token === undefined || token === '') {
    throw new BeckonError(
      'invalid_input',
      'The bot token is missing. Set BECKON_TELEGRAM_TOKEN to the token from BotFather. See docs/telegram.md.',
    );
  }
  const { createTelegramConnector } = await import('../../connectors/telegram/index.ts');
  await withBeckon(
    options,
    async (beckon, { home }) => {
      // Report an error such as a wrong token now.
      await beckon.list({ limit: 1 });
      const apiRoot = process.env['BECKON_TELEGRAM_API_ROOT'];
      const connector = createTelegramConnector({
        token,
        chats: options.chat,
        ...(options.user !== undefined && { users: options.user }),
        ...(apiRoot !== undefined && { apiRoot }),
        stateFile: join(home.value, 'telegram.json'),
        onError: report,
        onIgnored: reportStranger,
      });
      const [chatId] = Object.keys(options.chat);
      await runInForeground(beckon, connector, `Telegram is connected. Ask with: beckon ask "…" --chat ${chatId}`);
    },
    { onError: createLossReport() },
  );
}

function addChat(value: string, others: Record<string, string> = {}): Record<string, string> {
  const [chatId, id = chatId] = value.split('=');
  if (chatId === undefined || id === undefined || !/^-?\d+$/.test(id)) {
    throw new InvalidArgumentError('Expected the number of a Telegram chat, or CHAT=NUMBER.');
  }
  return { ...others, [chatId]: id };
}

const reportStranger: NonNullable<TelegramOptions['onIgnored']> = ({ chat, user, name }) => {
  const who = user === null ? '' : ` --user ${user}`;
  note(`ignored ${name}: chat ${chat}, user ${user ?? 'unknown'}. To accept them, start with --chat ${chat}${who}`);
};
