import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority } from '../../packages/beckon/src/testing/harness/certificates.ts';
import { Person } from '../../packages/beckon/src/testing/harness/slack/person.ts';
import { SlackServer } from '../../packages/beckon/src/testing/harness/slack/slack-server.ts';
import { see } from '../../packages/beckon/src/testing/harness/slack/slack-workspace.ts';
import { BotApiServer } from '../../packages/beckon/src/testing/harness/telegram/bot-api.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { saveProfile } from '../../packages/beckon/src/where/profiles.ts';
import { CliBench, main } from '../harness/cli.ts';
import { openTlsFront, type TlsFront } from '../harness/tls-front.ts';

/** Beckon runs here, behind TLS and below a path. */
let server: CliBench;
let front: TlsFront;
/** Here runs what asks and what shows, with a profile and without a Beckon. */
let other: CliBench;
let env: Record<string, string>;

beforeAll(async () => {
  [server, other] = await Promise.all([CliBench.open(), CliBench.open()]);
  const daemon = await server.up();
  const authority = createAuthority(server.folder);
  front = await openTlsFront(daemon.url, authority.issue('front', ['localhost', '::1']), '/team');
  const token = (await server.run(['token', 'create', 'ada', '--role', 'admin'])).stdout.trim();
  const url = `https://localhost:${front.port}/team`;
  const profile = { token, name: 'ada@other', owner: 'ada', savedAt: new Date().toISOString() };
  saveProfile(other.home, 'team', { ...profile, url });
  // The current one is another, so that nothing but the option says where Beckon is.
  saveProfile(other.home, 'nowhere', { ...profile, url: 'https://nobody.invalid' });
  env = { NODE_EXTRA_CA_CERTS: authority.file };
});
afterAll(async () => {
  await other.close();
  await front.close();
  await server.close();
});

test('an MCP server asks at a Beckon elsewhere', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', '--profile', 'team'],
    cwd: other.folder,
    env: { ...env, PATH: process.env['PATH'] ?? '', BECKON_HOME: other.home },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const result = client.callTool({ name: 'ask_question', arguments: { question: 'From MCP?' } });
  const { id } = await until(async () => {
    const { items } = JSON.parse((await server.run(['list', '--json'])).stdout) as { items: { id: string }[] };
    const [first] = items;
    if (first === undefined) throw new Error('Nothing is asked yet');
    return first;
  });
  await server.run(['answer', id, 'yes']);
  expect(JSON.stringify(await result)).toContain('yes');
  await client.close();
});

test('Telegram shows what is asked at a Beckon elsewhere', async () => {
  const telegram = await BotApiServer.start();
  const connector = other.start(['telegram', '--chat', 'default=1001', '--profile', 'team'], {
    env: { ...env, BECKON_TELEGRAM_TOKEN: telegram.token, BECKON_TELEGRAM_API_ROOT: telegram.url },
  });
  try {
    await connector.seen(/Telegram is connected/);
    const asking = await server.ask(['For Telegram?']);
    await until(() => expect(telegram.messages.some(({ text }) => text.includes('For Telegram?'))).toBe(true));
    await server.run(['cancel', asking.id]);
    await asking.exit;
    connector.child.kill('SIGTERM');
    expect(await connector.exit).toBe(0);
  } finally {
    await telegram.stop();
  }
});

test('Slack shows what is asked at a Beckon elsewhere, and brings the answer back', async () => {
  const slack = await SlackServer.start();
  const args = ['slack', '--channel', 'default=C100', '--user', 'U1ADA=ada', '--profile', 'team'];
  const connector = other.start(args, {
    env: {
      ...env,
      BECKON_SLACK_BOT_TOKEN: slack.botToken,
      BECKON_SLACK_APP_TOKEN: slack.appToken,
      BECKON_SLACK_API_ROOT: slack.apiRoot,
    },
  });
  try {
    await connector.seen(/Slack is connected/);
    const asking = await server.ask(['For Slack?', '--option', 'yes', '--option', 'no']);
    const message = await until(() => {
      const found = slack.messages.find((one) => see(one).text.includes('For Slack?'));
      if (found === undefined) throw new Error('It is not shown yet');
      return found;
    });
    new Person(slack, 'U1ADA').press(message, 'yes', { at: Date.now() + 5000 });
    expect(await server.finish(asking)).toMatchObject({ code: 0, stdout: 'yes\n' });
    connector.child.kill('SIGTERM');
    expect(await connector.exit).toBe(0);
  } finally {
    await slack.stop();
  }
});
