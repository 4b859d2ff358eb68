import { describe, expect, test } from 'vitest';
import type { Inbound } from '../../core/connector.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { CHANNEL, CHAT, useSlack } from '../../testing/harness/slack/use-slack.ts';
import { createQuestion } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';
import { readEvents } from '../../testing/suites/use-beckons.ts';
import { createSlackConnector } from './index.ts';
import type { SlackOptions } from './settings.ts';

const slack = useSlack();
const LAPTOP = { who: 'dev@laptop', via: 'terminal' } as const;
const QUESTION: AskInput = {
  kind: 'question',
  request: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] },
};
const refuse = (): Promise<never> => Promise.reject(new Error('nobody answers here'));
const nobody = (): Promise<null> => Promise.resolve(null);
const NOBODY: Inbound = {
  answer: refuse,
  answerMany: refuse,
  answerGroup: refuse,
  get: nobody,
  context: nobody,
  say: nobody,
};
const roots = () => slack.server.messages.filter(({ thread_ts }) => thread_ts === undefined);

describe('Slack in trouble', () => {
  test('a 429 is waited out for as long as Slack says', async () => {
    await slack.run();
    slack.server.prepare({ method: 'chat.postMessage', retryAfter: 1 }, { method: 'chat.postMessage', retryAfter: 1 });
    await slack.ask(QUESTION);
    await slack.see('Which?');
    expect(roots()).toHaveLength(1);
  });

  test('a 429 on the last repaint is waited out as well', async () => {
    await slack.run();
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    slack.server.prepare({ method: 'chat.update', retryAfter: 1 });
    await slack.beckon.answer(id, { text: 'a' }, LAPTOP);
    await until(() => expect(slack.text(message)).toContain('Answered by dev@laptop in the terminal'));
  });

  test('what is settled while a 429 is waited out is not posted at all', async () => {
    const connector = createSlackConnector(slack.options());
    await connector.start(NOBODY);
    slack.server.prepare({ method: 'files.getUploadURLExternal', retryAfter: 1 });
    const interaction = {
      ...createQuestion({ chatId: CHAT }),
      kind: 'plan_review',
      request: { plan: 'line\n'.repeat(9000), toolInput: {} },
    } as Interaction;
    const shown = connector.show(interaction);
    await slack.see('The buttons come when');
    await connector.settle({ ...interaction, status: 'cancelled' } as Interaction);
    await shown;
    expect(slack.text(roots()[0]!)).toContain('Cancelled');
    expect(slack.labels(roots()[0]!)).toEqual([]);
    await connector.stop();
  });

  test.each([{ cut: true as const }, { status: 502 }, { error: 'internal_error' }])(
    'a post is tried again after %j, and nobody is asked twice',
    async (fault) => {
      await slack.run();
      slack.server.prepare({ method: 'chat.postMessage', ...fault }, { method: 'chat.postMessage', ...fault });
      const { id } = await slack.ask(QUESTION);
      slack.ada.press(await slack.see('Which?'), '1. a');
      expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
      expect(roots()).toHaveLength(1);
    },
  );

  test('a post whose reply was lost is found in the channel, and not posted again', async () => {
    await slack.run();
    slack.server.prepare({ method: 'chat.postMessage', lost: true });
    const { id } = await slack.ask(QUESTION);
    await readEvents(slack.beckon, ({ type }) => type === 'interaction.delivered');
    expect(roots()).toHaveLength(1);
    slack.ada.press(roots()[0]!, '2. b');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'b' } });
    await until(() => expect(slack.text(roots()[0]!)).toContain('Answered by ada in Slack: b'));
  });

  test('what was written in the thread of such a message counts', async () => {
    await slack.run();
    slack.server.prepare({ method: 'chat.postMessage', lost: true }, { method: 'conversations.history', status: 502 });
    const { id } = await slack.ask(QUESTION);
    slack.ada.say('c', await slack.see('Which?'));
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'c' } });
    expect(roots()).toHaveLength(1);
    expect(slack.server.messages.filter((one) => slack.text(one).includes('no longer knows'))).toEqual([]);
  });

  test('a process that ended between the post and its reply finds the message when it is back', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    const never = Promise.withResolvers<void>();
    slack.server.prepare({ method: 'chat.postMessage', hold: never.promise });
    const { id } = await slack.ask(QUESTION);
    await slack.see('Which?');
    await first.stop();
    await slack.run({ stateFile });
    slack.ada.press(roots()[0]!, '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
    expect(roots()).toHaveLength(1);
    never.resolve();
  });

  test('a second copy of a message works and is closed too', async () => {
    await slack.run();
    slack.server.prepare(
      { method: 'chat.postMessage', lost: true },
      { method: 'conversations.history', error: 'missing_scope' },
    );
    const { id } = await slack.ask(QUESTION);
    await until(() => expect(roots()).toHaveLength(2));
    slack.ada.press(roots()[0]!, '2. b');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'b' } });
    await until(() => {
      for (const message of roots()) {
        expect(slack.text(message)).toContain('Answered by ada in Slack: b');
        expect(slack.labels(message)).toEqual([]);
      }
    });
  });

  test('a call that fails rejects immediately, for the coordinator to retry, and no error has a token in it', async () => {
    const connector = createSlackConnector(slack.options());
    await connector.start(NOBODY);
    slack.server.prepare({ method: 'chat.postMessage', cut: true }, { method: 'chat.postMessage', status: 502 });
    const question = createQuestion({ chatId: CHAT });
    const lost = await connector.show(question).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'unreachable', message: expect.stringContaining('chat.postMessage') });
    const failed = await connector.show(question).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'unreachable', message: expect.stringContaining('502') });
    slack.server.prepare({ method: 'chat.postMessage', error: 'is_archived' });
    const refused = await connector.prompt(CHAT, 'hello').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The channel is archived'),
    });
    for (const error of [lost, failed, refused, ...slack.errors]) expect(inspectAll(error)).not.toContain('fake');
    await connector.stop();
  });

  test('what was asked while nothing could be posted is shown when it can, once', async () => {
    await slack.run();
    slack.server.failPosts(Number.POSITIVE_INFINITY);
    const { id } = await slack.ask(QUESTION);
    await readEvents(slack.beckon, ({ type }) => type === 'interaction.undeliverable');
    slack.server.failPosts(0);
    slack.ada.press(await slack.see('Which?'), '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
    expect(roots()).toHaveLength(1);
  });

  test('a person may press before the reply to the post has arrived', async () => {
    await slack.run();
    const reply = Promise.withResolvers<void>();
    slack.server.prepare({ method: 'chat.postMessage', hold: reply.promise });
    const { id } = await slack.ask(QUESTION);
    slack.ada.press(await slack.see('Which?'), '1. a');
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    reply.resolve();
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('an upload that breaks is made again, and there is one file', async () => {
    await slack.run();
    slack.server.prepare({ method: 'files.completeUploadExternal', status: 502 });
    await slack.ask({ kind: 'plan_review', request: { plan: 'line\n'.repeat(9000) } });
    const message = await slack.see('Plan review');
    await until(() => expect(slack.labels(message)).toHaveLength(4));
    expect(slack.server.messages.filter(({ files }) => files.length > 0)).toHaveLength(1);
    expect(roots()).toHaveLength(1);
  });

  test('an upload whose reply was lost is found in the thread', async () => {
    await slack.run();
    slack.server.prepare({ method: 'files.completeUploadExternal', lost: true });
    await slack.ask({ kind: 'plan_review', request: { plan: 'line\n'.repeat(9000) } });
    const message = await slack.see('Plan review');
    await until(() => expect(slack.labels(message)).toHaveLength(4));
    expect(slack.server.messages.filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  test('it stops while a 429 is waited out', async () => {
    const connector = createSlackConnector(slack.options());
    await connector.start(NOBODY);
    slack.server.prepare({ method: 'chat.postMessage', retryAfter: 3600 });
    const shown = connector.show(createQuestion({ chatId: CHAT })).catch((error: unknown) => error);
    await until(() => expect(slack.server.hasTrouble()).toBe(false));
    await connector.stop();
    expect(await shown).toMatchObject({ code: 'closed' });
    await expect(connector.prompt(CHAT, 'x')).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('what is wrong is said at the start, with what to do', () => {
  const start = (changes: Partial<SlackOptions> = {}): Promise<void> => {
    return createSlackConnector(slack.options(changes)).start(NOBODY);
  };

  test.each<[string, Partial<SlackOptions>, string]>([
    ['a wrong bot token', { botToken: 'xoxb-wrong' }, 'Slack refused auth.test: invalid_auth. Is the token right'],
    [
      'a wrong app token',
      { appToken: 'xapp-wrong' },
      'Slack refused apps.connections.open: invalid_auth. Is the token',
    ],
    [
      'a channel without the app',
      { channels: ['C900'] },
      'C900 cannot be used. Slack refused conversations.history: not_in_channel. Invite the app',
    ],
    ['a channel that is not there', { channels: ['C800'] }, 'channel_not_found. Is the id of the channel right?'],
  ])('%s', async (_, changes, message) => {
    await expect(start(changes)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [['chat:write', 'channels:history'], 'files:write'],
    [['files:write', 'channels:history'], 'chat:write'],
    [['files:write', 'chat:write'], 'channels:history'],
  ])('with the scopes %j the missing one is named', async (scopes, missing) => {
    slack.server.scopes = scopes;
    await expect(start()).rejects.toThrow(`The app lacks the scope ${missing}. Add it under "OAuth & Permissions"`);
  });

  test('a start is tried again after a lost connection', async () => {
    slack.server.prepare({ method: 'auth.test', cut: true }, { method: 'apps.connections.open', status: 502 });
    await slack.run();
    await slack.ask(QUESTION);
    expect(slack.labels(await slack.see('Which?'))).toEqual(['1. a', '2. b']);
  });

  test.each<[Partial<SlackOptions>, string]>([
    [{ botToken: 'xoxp-user' }, 'botToken: expected a bot token, which begins with xoxb-'],
    [{ appToken: 'xoxb-bot-token' }, 'appToken: expected an app-level token, which begins with xapp-'],
    [{ channels: [] }, 'channels: expected at least one channel'],
    [{ channels: ['#general'] }, 'channels: expected the id of a Slack channel such as C0123, got "#general"'],
    [{ channels: { a: CHANNEL, b: CHANNEL } }, 'channels: expected each Slack channel once'],
    [{ users: {} }, 'users: expected at least one person'],
    [{ users: { ada: 'U1' } }, 'users: expected a Slack id such as U0123, got "ada"'],
    [{ users: { U1ADA: ' ' } }, 'users: expected a name for U1ADA'],
    [{ pageUrl: 'javascript:alert(1)' }, 'pageUrl: expected an address such as https://beckon.example.com'],
    [{ pageUrl: 'https://a:b@example.com' }, 'pageUrl: expected an address'],
  ])('options %j are refused', (changes, problem) => {
    expect(() => createSlackConnector(slack.options(changes))).toThrow(`Invalid Slack options: ${problem}`);
  });
});

function inspectAll(error: unknown): string {
  const seen = error as Error & { cause?: unknown };
  return `${seen.message} ${seen.stack} ${JSON.stringify(seen)} ${seen.cause === undefined ? '' : inspectAll(seen.cause)}`;
}
