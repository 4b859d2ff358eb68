import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { see } from '../../testing/harness/slack/slack-workspace.ts';
import { useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';
import { createSlackConnector } from './index.ts';

const slack = useSlack();
const LAPTOP = { who: 'dev@laptop', via: 'terminal' } as const;
const QUESTION: AskInput = {
  kind: 'question',
  request: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] },
};

describe('after a restart', () => {
  test('what is pending is repainted, and its old buttons work', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    await first.stop();
    const { length } = slack.server.calls;
    await slack.run({ stateFile });
    await until(() => expect(slack.server.calls.slice(length).map(({ method }) => method)).toContain('chat.update'));
    expect(slack.server.messages).toHaveLength(1);
    slack.ada.press(message, '2. b');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { selected: ['b'] } });
    await until(() => expect(slack.text(message)).toContain('Answered by ada in Slack: b'));
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(stateFile, 'utf8')).not.toContain('fake');
  });

  test('a press right after it is understood, before anything was repainted', async () => {
    const { stateFile, beckon } = slack;
    const first = await slack.run({ stateFile });
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    await first.stop();
    const connector = createSlackConnector(slack.options({ stateFile }));
    const answer = (about: string, input: object, who: string) =>
      beckon.answer(about, input as never, { who, via: 'slack' });
    const inbound = { ...beckon, answer, get: (about: string) => beckon.get(about), context: async () => null };
    await connector.start(inbound as never);
    slack.ada.press(message, '1. a');
    expect(await beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
    await until(() => expect(slack.text(message)).toContain('Answered by ada in Slack: a'));
    await connector.stop();
  });

  test('without a state file one fresh message comes, and the old buttons are refused', async () => {
    const first = await slack.run();
    const { id } = await slack.ask(QUESTION);
    const old = await slack.see('Which?');
    await first.stop();
    await slack.run();
    await until(() => expect(slack.server.messages).toHaveLength(2));
    slack.ada.press(old, '1. a');
    await slack.whisper('This button is not valid here.');
    slack.ada.press(slack.server.messages[1]!, '1. a');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('a message that somebody deleted is posted again', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    await first.stop();
    slack.server.remove(message);
    await slack.run({ stateFile });
    await slack.see('Which?');
    expect(slack.server.messages).toHaveLength(1);
  });

  test('a long plan whose message and file somebody deleted has its file first again', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    await slack.ask({ kind: 'plan_review', request: { plan: 'line\n'.repeat(9000) } });
    const message = await slack.see('Plan review');
    await until(() => expect(slack.labels(message)).toHaveLength(4));
    await first.stop();
    slack.server.messages.length = 0;
    const share = slack.server.holdFiles();
    await slack.run({ stateFile });
    const again = await slack.see('The buttons come when');
    expect(slack.labels(again)).toEqual([]);
    share();
    await until(() => expect(slack.labels(again)).toHaveLength(4));
  });

  test('what was settled meanwhile is closed, and a press of its old button hears who won', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    const { id } = await slack.ask(QUESTION);
    const message = await slack.see('Which?');
    const [button] = see(message).controls;
    await first.stop();
    await slack.beckon.answer(id, { text: 'b' }, LAPTOP);
    await slack.run({ stateFile });
    await until(() => expect(slack.text(message)).toContain('Answered by dev@laptop in the terminal: b'));
    expect(slack.labels(message)).toEqual([]);
    slack.ada.pressControl(message, button!);
    await slack.whisper('Already answered by dev@laptop in the terminal: b');
  });

  test('what was written in a thread meanwhile answers its request, once', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    const asked = await slack.ask(QUESTION);
    const plan = await slack.ask({ kind: 'plan_review', request: { plan: '# Plan' } });
    const [question, other] = [await slack.see('Which?'), await slack.see('# Plan')];
    slack.ada.say('no', other);
    await slack.see('What should be different?');
    await first.stop();
    // Slack gives up on events after some minutes; the threads still have the texts.
    slack.server.isForgetful = true;
    slack.ada.say('neither', question);
    await slack.run({ stateFile });
    expect(await slack.beckon.wait(asked.id)).toMatchObject({
      answer: { text: 'neither' },
      answeredBy: { who: 'ada' },
    });
    // The "no" was heard before: it is not the feedback that was asked for.
    slack.server.isForgetful = false;
    slack.ada.say('fewer files', other);
    expect(await slack.beckon.wait(plan.id)).toMatchObject({ answer: { feedback: 'fewer files' } });
  });

  test('a file that is not its own is left alone', async () => {
    const { stateFile } = slack;
    for (const text of [
      'precious',
      '{}',
      '{"beckonSlack":1,"deliveries":[{"id":1}]}',
      '{"beckonTelegram":1,"copies":[]}',
    ]) {
      writeFileSync(stateFile, text);
      const connector = createSlackConnector(slack.options({ stateFile }));
      await expect(connector.start({} as never)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('is not a state file of the Slack connector'),
      });
      expect(readFileSync(stateFile, 'utf8')).toBe(text);
    }
    expect(existsSync(`${stateFile}.${process.pid}.new`)).toBe(false);
  });
});
