import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { TelegramOptions } from '../../connectors/telegram/index.ts';
import { runConnector } from '../../coordinator/run-connector.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { note } from '../output.ts';

interface TelegramCommandOptions extends ClientOptions {
  chat: Record<string, string>;
  user?: string[];
}

export function createTelegram(): Command {
  return addClientOptions(
    createCommand('telegram', {
      summary: 'Show what waits for an answer in Telegram, and take the answers given there. Ctrl-C ends it.',
      examples: [
        ['beckon telegram --chat 1001', 'a private chat; "beckon ask … --chat 1001" reaches it'],
        ['beckon telegram --chat default=1001', 'what is asked without --chat goes there'],
        ['beckon telegram --chat -1005 --user 1001 --user 1002', 'a group, and who may answer in it'],
      ],
      more: 'The token of the bot is read from BECKON_TELEGRAM_TOKEN. docs/telegram.md leads from BotFather to the first answer.',
    })
      .requiredOption(
        '--chat <id>',
        'a Telegram chat to use, or CHAT=ID for a chat of Beckon with another name',
        addChat,
      )
      .option('--user <id>', 'a person who may answer, by number', (id, others: string[] | undefined) => [
        ...(others ?? []),
        id,
      ]),
  ).action(runTelegram);
}

async function runTelegram(options: TelegramCommandOptions): Promise<void> {
  const token = process.env['BECKON_TELEGRAM_TOKEN'];
  if (token === undefined || token === '') {
    throw new BeckonError(
      'invalid_input',
      'The token of the bot is missing. Set BECKON_TELEGRAM_TOKEN to what BotFather gave you; see docs/telegram.md.',
    );
  }
  const { createTelegramConnector } = await import('../../connectors/telegram/index.ts');
  await withBeckon(options, async (beckon, { home }) => {
    // An error such as a wrong token shows at once.
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
    const running = await runConnector({ beckon, connector, onError: report });
    note(`Telegram is connected. Ask with: beckon ask "…" --chat ${Object.keys(options.chat)[0]}`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await running.stop();
  });
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
  note(`ignored ${name}: chat ${chat}, user ${user ?? 'unknown'}. To listen to them, start with --chat ${chat}${who}`);
};

// It goes on by itself, so the person only reads what is wrong just now.
function report(error: unknown): void {
  note(error instanceof Error ? error.message : String(error));
}
