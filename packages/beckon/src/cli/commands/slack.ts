import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { SlackOptions } from '../../connectors/slack/index.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { note } from '../output.ts';
import { createLossReport, report, runInForeground } from '../run-in-foreground.ts';

interface SlackCommandOptions extends ClientOptions {
  channel: Record<string, string>;
  user: Record<string, string>;
  page?: string;
}

export function createSlack(): Command {
  return addClientOptions(
    createCommand('slack', {
      summary: 'Show pending requests in Slack and take answers there. Stop with Ctrl-C.',
      examples: [
        ['beckon slack --channel default=C0123 --user U0123=ada', 'use a channel for everything asked without --chat'],
        [
          'beckon slack --channel team=C0123 --user U0123=ada --user U0456=bob',
          'ask there with "beckon ask … --chat team"',
        ],
        ['beckon slack --channel C0123 --user U0123=ada --page https://beckon.example.com', 'link to your page'],
      ],
      more:
        'Set BECKON_SLACK_BOT_TOKEN (xoxb-…) and BECKON_SLACK_APP_TOKEN (xapp-…) to the tokens of your Slack app. ' +
        'docs/slack.md has the app’s manifest and shows where the tokens are.',
    })
      .requiredOption(
        '--channel <id>',
        'a Slack channel, or CHAT=ID to give it another name in Beckon; repeatable',
        addChannel,
      )
      .requiredOption('--user <id=name>', 'a person who may answer, and their name in Beckon; repeatable', addUser)
      .option('--page <url>', 'where people open the inbox page (default: BECKON_PUBLIC_URL, or where Beckon runs)'),
  ).action(runSlack);
}

async function runSlack(options: SlackCommandOptions): Promise<void> {
  const botToken = readToken('BECKON_SLACK_BOT_TOKEN', 'bot token', 'xoxb-, under "OAuth & Permissions"');
  const appToken = readToken('BECKON_SLACK_APP_TOKEN', 'app-level token', 'xapp-, under "Basic Information"');
  const { createSlackConnector } = await import('../../connectors/slack/index.ts');
  await withBeckon(
    options,
    async (beckon, { home }, { url }) => {
      // Report an error such as a wrong token now.
      await beckon.list({ limit: 1 });
      const apiRoot = process.env['BECKON_SLACK_API_ROOT'];
      const connector = createSlackConnector({
        botToken,
        appToken,
        channels: options.channel,
        users: options.user,
        pageUrl: options.page ?? (process.env['BECKON_PUBLIC_URL'] || url),
        ...(apiRoot !== undefined && { apiRoot }),
        stateFile: join(home.value, 'slack.json'),
        onError: report,
        onIgnored: reportStranger,
      });
      const [chatId] = Object.keys(options.channel);
      await runInForeground(beckon, connector, `Slack is connected. Ask with: beckon ask "…" --chat ${chatId}`);
    },
    { onError: createLossReport() },
  );
}

function readToken(name: string, what: string, where: string): string {
  const token = process.env[name];
  if (token !== undefined && token !== '') return token;
  const message = `The ${what} of your Slack app is missing. Set ${name}: it begins with ${where} of your app. See docs/slack.md.`;
  throw new BeckonError('invalid_input', message);
}

function addChannel(value: string, others: Record<string, string> = {}): Record<string, string> {
  const [chatId, id = chatId] = value.split('=');
  if (chatId === undefined || id === undefined || !/^[CGD][A-Z0-9]{2,}$/.test(id)) {
    throw new InvalidArgumentError(
      'Expected the id of a Slack channel such as C0123, or CHAT=ID. Slack shows it in the details of the channel.',
    );
  }
  return { ...others, [chatId]: id };
}

function addUser(value: string, others: Record<string, string> = {}): Record<string, string> {
  const [, id, name] = /^([UW][A-Z0-9]{2,})=(.*\S.*)$/.exec(value) ?? [];
  if (id === undefined || name === undefined) {
    throw new InvalidArgumentError(
      'Expected ID=NAME, such as U0123=ada. Slack shows the id in the profile: "Copy member ID".',
    );
  }
  return { ...others, [id]: name };
}

const reportStranger: NonNullable<SlackOptions['onIgnored']> = ({ channel, user, isChannel }) => {
  note(
    isChannel
      ? `ignored the channel ${channel}. To use it, start with --channel ${channel}`
      : `ignored the person ${user} in ${channel}. To let them answer, start with --user ${user}=NAME`,
  );
};
