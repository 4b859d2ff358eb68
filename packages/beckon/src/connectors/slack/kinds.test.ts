import { describe, expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { readCode } from '../../testing/harness/slack/reading.ts';
import { see } from '../../testing/harness/slack/slack-workspace.ts';
import { CHANNEL, useSlack } from '../../testing/harness/slack/use-slack.ts';
import { ASKS } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';

const slack = useSlack();
const LAPTOP = { who: 'dev@laptop', via: 'terminal' } as const;
const PAGE = 'https://beckon.example.com/team';
const question = (changes: object = {}): AskInput =>
  ({ kind: 'question', request: { ...structuredClone(ASKS.question.request), ...changes } }) as unknown as AskInput;
const plan = (text: string): AskInput => ({ kind: 'plan_review', request: { plan: text } });
const toOptions = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `option ${index}` }));

describe('each kind is shown', () => {
  test('a question with a button for each option, and previews as code', async () => {
    await slack.run();
    const options = [{ label: 'SQLite', description: 'one file', preview: 'x = 1' }, { label: 'Postgres' }];
    await slack.ask(question({ header: 'Storage', options }));
    const message = await slack.see('Which database?');
    expect(slack.text(message)).toMatch(
      /^Storage\nfrom an agent\n\nWhich database\?\n\n1\. SQLite: one file\nx = 1\n2\. Postgres\n\nChoose one, or reply/,
    );
    expect(readCode(message.blocks)).toEqual(['x = 1']);
    expect(slack.labels(message)).toEqual(['1. SQLite', '2. Postgres']);
    expect(message).toMatchObject({ channel: CHANNEL, text: 'Which database?' });
  });

  test('a plan with its four decisions', async () => {
    await slack.run();
    await slack.ask(plan('# Plan\n\n1. Write it down.'));
    const message = await slack.see('Plan review\nfrom an agent\n\n# Plan\n\n1. Write it down.');
    expect(slack.labels(message)).toHaveLength(4);
  });

  test('an approval with its command as code, and what the agent says of it', async () => {
    await slack.run();
    const request = { tool: 'Bash', input: { command: 'npm test', timeout: 7 }, description: 'Run the tests' };
    await slack.ask({ kind: 'approval', request });
    const message = await slack.see('Allow Bash?');
    expect(slack.text(message)).toContain('Run the tests\nnpm test');
    expect(readCode(message.blocks)).toEqual(['npm test', '{\n  "timeout": 7\n}']);
    expect(slack.labels(message)).toEqual(['Deny', 'Allow']);
  });

  test('where it comes from, why, and how a file changes', async () => {
    await slack.run();
    const path = '/home/ada/webshop/src/total.ts';
    const before = ['one', 'two', 'three', 'four', 'const rate = 1;', 'six'].map((text) => `${text}\n`).join('');
    await slack.ask({
      kind: 'approval',
      request: { tool: 'Edit', input: { file_path: path, old_string: 'rate = 1;', new_string: 'rate = 2;' } },
      context: {
        project: 'webshop',
        folder: '/home/ada/webshop',
        branch: 'feature/currency',
        machine: 'ada-laptop',
        agent: 'Claude Code',
        message: 'All tests pass.',
        files: [{ path, sha256: 'a'.repeat(64), lines: 6, before: [{ line: 1, text: before }] }],
      },
    });
    const message = await slack.see('Allow Edit?');
    expect(slack.text(message)).toMatch(/^webshop · feature\/currency · Claude Code · ada-laptop\nAllow Edit\?\n/);
    expect(slack.text(message)).toContain('Why: “All tests pass.”');
    expect(slack.text(message)).toContain('src/total.ts · edited · +1 −1');
    expect(readCode(message.blocks).join('')).toContain('-const rate = 1;\n+const rate = 2;\n');
  });

  test('a screen with a button for each of its actions, and a link to the page', async () => {
    await slack.run({ pageUrl: `${PAGE}/` });
    const components = [
      {
        type: 'card',
        id: 'sales',
        title: 'Sales',
        actions: [{ label: 'Refresh', action: 'refresh', data: { now: true } }],
      },
      { type: 'suggestions', suggestions: ['Last week'] },
    ];
    const { id } = await slack.ask({ kind: 'component', request: { components } });
    const message = await slack.see('Sales');
    expect(slack.labels(message)).toEqual(['Refresh', 'Last week', 'Open the page']);
    expect(see(message).controls.at(-1)?.url).toBe(`${PAGE}/i/${id}`);
    slack.ada.press(message, 'Open the page');
    slack.ada.press(message, 'Refresh');
    expect(await slack.beckon.wait(id)).toMatchObject({
      answer: { action: 'refresh', data: { now: true }, component: 'sales' },
      answeredBy: { who: 'ada', via: 'slack' },
    });
  });

  test('a screen with fields is answered on the page, and says so; without a page it names the command', async () => {
    const running = await slack.run({ pageUrl: PAGE });
    const components = [{ type: 'form', title: 'Seats', fields: [{ name: 'seats' }], action: 'send' }];
    const { id } = await slack.ask({ kind: 'component', request: { components } });
    const message = await slack.see('Slack cannot show this screen. Open the page.');
    expect(slack.labels(message)).toEqual(['Open the page']);
    await running.stop();
    await slack.run();
    await until(() => expect(slack.text(slack.server.messages.at(-1)!)).toContain(`beckon answer ${id}`));
    expect(slack.labels(slack.server.messages.at(-1)!)).toEqual([]);
  });
});

describe('an answer', () => {
  test('by a button settles the question, under the name that the list gives the person', async () => {
    await slack.run();
    const { id } = await slack.ask(question());
    const message = await slack.see('Which database?');
    slack.ada.press(message, 'Postgres');
    expect(await slack.beckon.wait(id)).toMatchObject({
      answer: { text: 'Postgres', selected: ['Postgres'] },
      answeredBy: { who: 'ada', via: 'slack', kind: 'person' },
    });
    await until(() => expect(slack.text(message)).toMatch(/✓ Answered by ada in Slack: Postgres$/));
    expect(slack.labels(message)).toEqual([]);
    expect(slack.text(message)).not.toContain('Choose one');
    expect(slack.server.whispers).toEqual([]);
  });

  test('of many options is chosen from a list and sent with Done', async () => {
    await slack.run();
    const { id } = await slack.ask(question({ options: toOptions(9) }));
    const message = await slack.see('Which database?');
    expect(slack.labels(message)).toEqual(['static_select', 'Done']);
    slack.ada.press(message, 'Done');
    await slack.whisper('Choose something first, then press Done.');
    const [list] = see(message).controls;
    slack.ada.pressControl(message, list!, { chosen: ['option 3'] });
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
    slack.ada.press(message, 'Done', { chosen: ['option 3'] });
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { selected: ['option 3'] } });
  });

  test.each([
    [3, 'checkboxes'],
    [30, 'multi_static_select'],
  ])('with several of %i options is marked in %s and sent with Done', async (count, type) => {
    await slack.run();
    const { id } = await slack.ask(question({ options: toOptions(count), multiSelect: true }));
    const message = await slack.see('Which database?');
    expect(slack.labels(message)).toEqual([type, 'Done']);
    slack.ada.press(message, 'Done', { chosen: ['option 0', 'option 2'] });
    const { answer } = (await slack.beckon.wait(id)) as { answer?: { selected?: string[] } };
    expect(answer?.selected?.slice(0, 2)).toEqual(['option 0', 'option 2']);
  });

  test('of a hundred long options is chosen from a list too, and all of them can be read in a file', async () => {
    await slack.run({ stateFile: slack.stateFile });
    const options = Array.from({ length: 100 }, (_, index) => ({ label: `${'é'.repeat(80)} ${index}` }));
    const { id } = await slack.ask(question({ options }));
    const message = await slack.see('in the thread. It begins');
    await until(() => expect(slack.labels(message)).toEqual(['static_select', 'Done']));
    await slack.kept(id, { isPartial: false });
    slack.ada.say(options[99]!.label, message);
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { selected: [options[99]!.label] } });
  });

  test('promises nothing that the agent cannot do, and a reply that it cannot take is refused', async () => {
    await slack.run();
    await slack.ask({
      kind: 'plan_review',
      request: { plan: '# Plan', abilities: { decisions: ['edit', 'adjust'], feedback: false } },
    });
    const planned = await slack.see('# Plan');
    expect(slack.labels(planned)).toEqual(['Accept', 'Send back']);
    expect(slack.text(planned)).not.toContain('Reply in the thread');
    await slack.ask({ kind: 'approval', request: { tool: 'Bash', abilities: { denyText: false } } });
    const approval = await slack.see('Allow Bash?');
    expect(slack.text(approval)).toContain('Press a button, or reply yes or no in the thread.');
    const { id } = await slack.ask(question({ abilities: { ownWords: false } }));
    const message = await slack.see('Which database?');
    expect(slack.text(message)).not.toContain('own words');
    slack.bob.say('a file', message);
    expect(await slack.see('because this agent takes no other words')).toMatchObject({ thread_ts: message.ts });
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
    slack.bob.say('Postgres', message);
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { selected: ['Postgres'] } });
  });

  test('"send back" asks for feedback in the thread, where everybody sees it, and a reply is the feedback', async () => {
    await slack.run();
    const { id } = await slack.ask(plan('# Plan'));
    const message = await slack.see('# Plan');
    slack.ada.press(message, 'Send back');
    const asked = await slack.see('What should be different?');
    expect(asked).toMatchObject({ thread_ts: message.ts, isBroadcast: true });
    await until(() => expect(slack.text(message)).toContain('It was sent back. Reply in the thread'));
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending', awaitingFeedback: true });
    slack.bob.say('yes', message);
    expect(await slack.beckon.wait(id)).toMatchObject({
      answer: { decision: 'adjust', feedback: 'yes' },
      answeredBy: { who: 'bob' },
    });
    await until(() => expect(slack.text(message)).toContain('✗ Sent back by bob in Slack: yes'));
  });

  test('a reminder is said in the thread of its request', async () => {
    await slack.run();
    const { id } = await slack.ask(question());
    const message = await slack.see('Which database?');
    await slack.beckon.note(id, { type: 'reminded' });
    expect(await slack.see('Still waiting for you')).toMatchObject({ thread_ts: message.ts, isBroadcast: true });
  });
});

describe('what is settled', () => {
  test('elsewhere says who did it and where, and a late press changes nothing', async () => {
    await slack.run();
    const { id } = await slack.ask(question());
    const message = await slack.see('Which database?');
    const [, postgres] = see(message).controls;
    await slack.beckon.answer(id, { text: 'SQLite' }, LAPTOP);
    await until(() => expect(slack.text(message)).toMatch(/\n✓ Answered by dev@laptop in the terminal: SQLite$/));
    slack.ada.pressControl(message, postgres!);
    expect(await slack.whisper('Already answered by dev@laptop')).toMatchObject({ user: slack.ada.id });
    expect(await slack.beckon.get(id)).toMatchObject({ answer: { text: 'SQLite' } });
  });

  test('by nobody in time says so', async () => {
    await slack.run();
    const { id } = await slack.ask({ kind: 'approval', request: { tool: 'Bash' }, timeout: '500ms' });
    const message = await slack.see('Allow Bash?');
    const allow = see(message).controls.find(({ text }) => text === 'Allow')!;
    await until(() => expect(slack.text(message)).toContain('Expired: nobody answered in time.'));
    slack.ada.pressControl(message, allow);
    await slack.whisper('Expired');
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'expired' });
  });

  test('with a very long answer is cut, and still fits', async () => {
    await slack.run();
    const { id } = await slack.ask(plan('p'.repeat(8000)));
    const message = await slack.see('ppp');
    await slack.beckon.answer(id, { feedback: '👍'.repeat(5000) }, LAPTOP);
    await until(() => expect(slack.text(message)).toMatch(/Sent back by dev@laptop in the terminal: 👍+ … \(cut\)$/u));
  });
});

describe('a text that is too long for a message', () => {
  test('is a file in the thread, and the buttons come when people can read it', async () => {
    const share = slack.server.holdFiles();
    await slack.run();
    const text = `begin ${'ü\n'.repeat(20_000)} end`;
    const { id } = await slack.ask(plan(text));
    const message = await slack.see('The buttons come when the whole text is in the thread.');
    expect(slack.labels(message)).toEqual([]);
    share();
    await until(() => expect(slack.labels(message)).toHaveLength(4));
    expect(slack.text(message)).toContain(
      `All ${text.length} characters are in plan.md.txt, in the thread. It begins:`,
    );
    const [file] = slack.server.messages.filter(({ files }) => files.length > 0);
    expect(file).toMatchObject({ thread_ts: message.ts, files: [{ name: 'plan.md.txt', text }] });
    slack.ada.press(message, 'keep the context');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'edit' } });
    await until(() => expect(slack.text(message)).toContain('Accepted by ada in Slack: keeping the context'));
  });

  test('is not answered by a reply from before the file was there', async () => {
    const share = slack.server.holdFiles();
    await slack.run({ stateFile: slack.stateFile });
    const command = `ls\n${'# \n'.repeat(5000)}rm -rf build`;
    const { id } = await slack.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
    const message = await slack.see('The buttons come when');
    slack.ada.say('allow anyway', message);
    await slack.see('The whole text is not in the thread yet, so this was not used.');
    share();
    await until(() => expect(slack.labels(message)).toEqual(['Deny', 'Allow']));
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
    await slack.kept(id, { isPartial: false });
    slack.ada.say('allow anyway', message);
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('is one too if Slack refuses the message as too long', async () => {
    await slack.run();
    slack.server.prepare({ method: 'chat.postMessage', error: 'msg_blocks_too_long' });
    const { id } = await slack.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
    const message = await slack.see('characters are in command.txt, in the thread');
    await until(() => expect(slack.labels(message)).toEqual(['Deny', 'Allow']));
    slack.ada.press(message, 'Deny');
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' } });
    await until(() => expect(slack.text(message)).toContain('✗ Denied by ada in Slack.'));
  });

  test('a file that somebody else calls the same does not stand for ours', async () => {
    const share = slack.server.holdFiles();
    await slack.run();
    await slack.ask(plan('x\n'.repeat(20_000)));
    const message = await slack.see('The buttons come when');
    const fake = { subtype: 'file_share', files: [{ id: 'F9', name: 'plan.md.txt' }] };
    slack.eve.say('', message, fake);
    await until(() =>
      expect(slack.server.calls.filter(({ method }) => method === 'conversations.replies').length).toBeGreaterThan(1),
    );
    expect(slack.labels(message)).toEqual([]);
    share();
    await until(() => expect(slack.labels(message)).toHaveLength(4));
  });
});
