import { describe, expect, test } from 'vitest';
import type { AnswerResult } from '../../core/beckon.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { see } from '../../testing/harness/slack/slack-workspace.ts';
import { useSlack } from '../../testing/harness/slack/use-slack.ts';
import { createQuestion } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';
import { createSlackConnector } from './index.ts';

const slack = useSlack();
const QUESTION: AskInput = {
  kind: 'question',
  request: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] },
};
const approve = (tool: string): Promise<Interaction> => slack.ask({ kind: 'approval', request: { tool } });
const openings = () => slack.server.calls.filter(({ method }) => method === 'apps.connections.open').length;

/** Returns when there is a connection again after `count` in all. */
const reconnected = (count: number) => until(() => expect(slack.server.sockets.opened).toBeGreaterThanOrEqual(count));

describe('the connection to Slack', () => {
  test('acknowledges first, and acts then, however long that takes', async () => {
    const connector = createSlackConnector(slack.options());
    const asked: string[] = [];
    const answered = Promise.withResolvers<AnswerResult>();
    const answer = (id: string): Promise<AnswerResult> => {
      asked.push(id);
      return answered.promise;
    };
    const nobody = async () => null;
    await connector.start({ answer, get: nobody, context: nobody } as never);
    const question = createQuestion({ chatId: 'team' });
    await connector.show(question);
    slack.ada.press(await slack.see('Which database?'), 'SQLite');
    await until(() => expect(asked).toEqual([question.id]));
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    answered.resolve({ result: 'accepted', interaction: question });
    await connector.stop();
  });

  test.each(['refresh_requested', 'warning'] as const)(
    'is there before the old one goes when Slack says %s, and no press is missed',
    async (reason) => {
      await slack.run();
      const asked = [];
      for (let number = 0; number < 5; number += 1) asked.push(await approve(`Tool${number}`));
      const presses: string[] = [];
      for (const [number] of asked.entries()) {
        const message = await slack.see(`Allow Tool${number}?`);
        const allow = see(message).controls.find(({ text }) => text === 'Allow')!;
        const { opened } = slack.server.sockets;
        slack.server.sockets.askToLeave(reason);
        presses.push(slack.ada.pressControl(message, allow));
        await reconnected(opened + 1);
        presses.push(slack.ada.pressControl(message, allow));
      }
      for (const { id } of asked) expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
      await until(() => expect(slack.server.sockets.count).toBe(1));
      expect(presses.filter((press) => slack.server.sockets.hasFailed(press))).toEqual([]);
      expect(slack.errors).toEqual([]);
    },
  );

  test('that is cut is made again, and a text that was written meanwhile is heard', async () => {
    await slack.run();
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    slack.server.sockets.isRefusing = true;
    slack.server.sockets.cut();
    slack.ada.say('c', message);
    await until(() => expect(slack.errors.length).toBeGreaterThan(2));
    slack.server.sockets.isRefusing = false;
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'c' } });
  });

  test('a text of which Slack no longer tells is found in its thread', async () => {
    await slack.run();
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    slack.server.sockets.isRefusing = true;
    slack.server.sockets.cut();
    slack.server.isForgetful = true;
    slack.ada.say('c', message);
    slack.server.prepare(
      { method: 'conversations.replies', status: 502 },
      { method: 'conversations.replies', cut: true },
    );
    slack.server.sockets.isRefusing = false;
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'c' } });
  });

  test('of many texts in a thread none is missed, whatever the pages of Slack', async () => {
    await slack.run();
    const plan = await slack.ask({ kind: 'plan_review', request: { plan: '# Plan' } });
    const message = await slack.see('# Plan');
    slack.server.sockets.isRefusing = true;
    slack.server.sockets.cut();
    slack.server.isForgetful = true;
    for (let number = 0; number < 250; number += 1) slack.eve.say(`talk ${number}`, message);
    slack.ada.say('fewer files', message);
    slack.server.sockets.isRefusing = false;
    expect(await slack.beckon.wait(plan.id)).toMatchObject({ answer: { feedback: 'fewer files' } });
  });

  test('a press while there is none fails where the person sees it, decides nothing, and works when repeated', async () => {
    await slack.run();
    const asked = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    slack.server.sockets.isRefusing = true;
    slack.server.sockets.cut();
    const press = slack.ada.press(message, 'Allow');
    expect(slack.server.sockets.hasFailed(press)).toBe(true);
    const { opened } = slack.server.sockets;
    slack.server.sockets.isRefusing = false;
    await reconnected(opened + 1);
    expect(await slack.beckon.get(asked.id)).toMatchObject({ status: 'pending' });
    slack.ada.press(message, 'Allow');
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('that has gone silent is noticed and replaced', async () => {
    await slack.run({ silenceMs: 300 });
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    const { opened } = slack.server.sockets;
    slack.server.sockets.silence();
    await reconnected(opened + 1);
    slack.ada.press(message, '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('stays while it is idle, as long as Slack answers', async () => {
    await slack.run({ silenceMs: 2000 });
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    await until(() => expect(slack.server.sockets.pings).toBeGreaterThan(4));
    expect(slack.server.sockets.opened).toBe(1);
    slack.ada.press(message, '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('survives a token that was revoked, and goes on when it is valid again', async () => {
    await slack.run();
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    const { opened } = slack.server.sockets;
    slack.server.prepare(
      { method: 'apps.connections.open', error: 'invalid_auth' },
      { method: 'apps.connections.open', error: 'account_inactive' },
      { method: 'apps.connections.open', status: 503 },
    );
    slack.server.sockets.cut();
    await reconnected(opened + 1);
    expect(slack.errors.map((error) => (error as Error).message)).toEqual([
      expect.stringContaining('invalid_auth. Is the token right'),
      expect.stringContaining('The app was removed from the workspace. Install it again'),
      expect.stringContaining('Slack failed at apps.connections.open (503)'),
    ]);
    slack.ada.press(message, '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('waits as long as Slack says before it is made again', async () => {
    await slack.run();
    const { opened } = slack.server.sockets;
    // The stand-in notes a fault for a call that comes too soon.
    slack.server.prepare({ method: 'apps.connections.open', retryAfter: 1 });
    slack.server.sockets.cut();
    await reconnected(opened + 1);
    expect(openings()).toBe(2);
  });

  test('does not spin if Slack sends everybody away at once', async () => {
    await slack.run({ retryMs: 100_000 });
    const { opened } = slack.server.sockets;
    slack.server.sockets.askToLeave('warning');
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    expect(slack.server.sockets.opened).toBe(opened);
    const { id } = await slack.ask(QUESTION);
    // The old one works as long as Slack leaves it open.
    slack.ada.press(await slack.see('Which?'), '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test.each([
    'no JSON',
    '[]',
    'null',
    '{"type":7}',
    '{"type":"events_api","envelope_id":"x","payload":{"type":"app_rate_limited","minute_rate_limited":1}}',
    '{"type":"events_api","envelope_id":"x"}',
    '{"type":"disconnected"}',
  ])('is not broken by %s', async (text) => {
    await slack.run();
    slack.server.sockets.sendRaw(text);
    const { id } = await slack.ask(QUESTION);
    slack.ada.press(await slack.see('Which?'), '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
    expect(slack.server.sockets.opened).toBe(1);
  });

  test.each([
    ['a press without a message', { type: 'block_actions', user: { id: 'U1ADA' }, actions: [] }],
    ['a press of another app’s form', { type: 'block_actions', user: { id: 'U1ADA' }, container: { type: 'view' } }],
    ['a shortcut', { type: 'shortcut', user: { id: 'U1ADA' } }],
    ['nothing that is known', {}],
  ])('%s is acknowledged and changes nothing', async (_, payload) => {
    await slack.run();
    const asked = await approve('Bash');
    await slack.see('Allow Bash?');
    slack.server.sockets.deliver('interactive', payload);
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    expect(await slack.beckon.get(asked.id)).toMatchObject({ status: 'pending' });
    expect(slack.errors).toEqual([]);
  });
});

describe('what Slack sends twice, or in another order', () => {
  test.each(['same envelope', 'other envelope'] as const)('a press in the %s is one press', async (doubling) => {
    const connector = createSlackConnector(slack.options());
    const asked: string[] = [];
    const answer = async (id: string): Promise<AnswerResult> => {
      asked.push(id);
      return { result: 'accepted', interaction: null };
    };
    const nobody = async () => null;
    await connector.start({ answer, get: nobody, context: nobody } as never);
    const question = createQuestion({ chatId: 'team' });
    await connector.show(question);
    const message = await slack.see('Which database?');
    slack.server.sockets.doubling = doubling;
    slack.ada.press(message, 'SQLite');
    slack.server.sockets.doubling = undefined;
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    slack.ada.press(message, 'Postgres');
    await until(() => expect(asked.length).toBeGreaterThanOrEqual(2));
    expect(asked).toEqual([question.id, question.id]);
    await connector.stop();
  });

  test.each(['same envelope', 'other envelope'] as const)('a text in the %s is one text', async (doubling) => {
    await slack.run();
    slack.server.sockets.doubling = doubling;
    const plan = await slack.ask({ kind: 'plan_review', request: { plan: '# Plan' } });
    const message = await slack.see('# Plan');
    // The second "no" would be the feedback.
    slack.ada.say('no', message);
    await slack.see('What should be different?');
    expect(await slack.beckon.get(plan.id)).toMatchObject({ status: 'pending', awaitingFeedback: true });
    slack.ada.say('fewer files', message);
    expect(await slack.beckon.wait(plan.id)).toMatchObject({ answer: { feedback: 'fewer files' } });
  });

  test('presses that arrive in another order each decide what they were pressed for', async () => {
    await slack.run({ momentMs: 0 });
    const asked = [await approve('Bash'), await approve('Write')];
    const [one, other] = [await slack.see('Allow Bash?'), await slack.see('Allow Write?')];
    slack.server.sockets.hold();
    slack.ada.press(one, 'Allow');
    slack.ada.press(other, 'Deny');
    slack.server.sockets.releaseReversed();
    const settled = await Promise.all(asked.map(({ id }) => slack.beckon.wait(id)));
    expect(settled).toMatchObject([{ answer: { decision: 'allow' } }, { answer: { decision: 'deny' } }]);
  });

  test('a second tap that arrives before the first one decides nothing either way', async () => {
    await slack.run({ momentMs: 1000 });
    const asked = [await approve('Bash'), await approve('Write')];
    const [one, other] = [await slack.see('Allow Bash?'), await slack.see('Allow Write?')];
    const at = Number(other.ts) * 1000 + 5000;
    slack.server.sockets.hold();
    slack.ada.press(one, 'Allow', { at });
    slack.ada.press(other, 'Allow', { at: at + 200 });
    slack.server.sockets.releaseReversed();
    await slack.whisper('This came too soon');
    const states = await Promise.all(asked.map(({ id }) => slack.beckon.get(id)));
    expect(states.filter((state) => state?.status === 'pending').length).toBeGreaterThanOrEqual(1);
  });
});
