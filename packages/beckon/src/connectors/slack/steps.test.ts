import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { type KeptMessage, see } from '../../testing/harness/slack/slack-workspace.ts';
import { CHAT, useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';

const slack = useSlack();
const PAGE = { who: 'ada', via: 'inbox' };
const MOMENT_MS = 600;
const NOT_USED = 'The message has changed since you wrote this, so it was not used.';

function question(header: string, ...labels: string[]): AskInput {
  const options = labels.map((label) => ({ label }));
  return { kind: 'question', chatId: CHAT, request: { question: `Which ${header}?`, header, options } };
}

const STEPS = [question('database', 'SQLite', 'Postgres'), question('region', 'eu', 'us'), question('name')];

async function askSteps(inputs: readonly AskInput[] = STEPS): Promise<[Interaction, Interaction, Interaction]> {
  return (await slack.beckon.askGroup(inputs)) as unknown as [Interaction, Interaction, Interaction];
}

/** The only message of the channel, when it shows a step. */
function seeStep(step: string): Promise<KeptMessage> {
  return until(() => {
    const [message, ...others] = slack.server.messages.filter(({ thread_ts }) => thread_ts === undefined);
    expect(others).toEqual([]);
    expect(slack.text(message!)).toContain(`· ${step}`);
    return message!;
  });
}

async function expectPending(...interactions: Interaction[]): Promise<void> {
  for (const { id } of interactions) expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
}

describe('the questions of one call are one message', () => {
  test('which moves on by itself, with what was answered so far', async () => {
    await slack.run({ stateFile: slack.stateFile });
    const asked = await askSteps();
    const message = await seeStep('1 of 3');
    slack.ada.press(message, 'SQLite');
    await seeStep('2 of 3');
    expect(slack.text(message)).toMatch(/^region · 2 of 3\n.*\n✓ database: SQLite\n\nWhich region\?/);
    expect(slack.labels(message)).toEqual(['1. eu', '2. us']);
    slack.ada.press(message, 'us');
    await seeStep('3 of 3');
    await slack.kept(asked[2].id, { beganAt: expect.any(Number) });
    slack.ada.say('beckon', message);
    await until(() => expect(slack.text(message)).toMatch(/✓ region: us\n[^]*✓ Answered by ada in Slack: beckon$/));
    const settled = await Promise.all(asked.map(({ id }) => slack.beckon.wait(id)));
    expect(settled.map(({ answer }) => answer)).toMatchObject([{ text: 'SQLite' }, { text: 'us' }, { text: 'beckon' }]);
    expect(slack.errors).toEqual([]);
  });

  test('a step that was answered elsewhere is passed over, and a whole answer closes the message', async () => {
    await slack.run();
    const [, second, third] = await askSteps();
    const message = await seeStep('1 of 3');
    await slack.beckon.answer(second.id, { text: 'us' }, PAGE);
    slack.ada.press(message, 'Postgres');
    await seeStep('3 of 3');
    expect(slack.text(message)).toContain('✓ database: Postgres\n✓ region: us\n');
    await slack.beckon.answer(third.id, { text: 'x' }, PAGE);
    await until(() => expect(slack.text(message)).toContain('Answered by ada in the inbox: x'));
  });

  test('goes on after a restart at the step that is open, whatever was answered meanwhile', async () => {
    const { stateFile } = slack;
    const before = await slack.run({ stateFile });
    const [, second] = await askSteps();
    const message = await seeStep('1 of 3');
    slack.ada.press(message, 'SQLite');
    await seeStep('2 of 3');
    await before.stop();
    await slack.beckon.answer(second.id, { text: 'us' }, PAGE);
    await slack.run({ stateFile });
    await seeStep('3 of 3');
    expect(slack.text(message)).toContain('✓ database: SQLite\n✓ region: us\n\nWhich name?');
  });

  test('a message that was deleted is posted again for the next step', async () => {
    await slack.run();
    const [first] = await askSteps();
    slack.server.remove(await seeStep('1 of 3'));
    await slack.beckon.answer(first.id, { text: 'SQLite' }, PAGE);
    expect(slack.labels(await seeStep('2 of 3'))).toEqual(['1. eu', '2. us']);
  });

  test('a step that is too long for a message has one of its own', async () => {
    await slack.run();
    const long: AskInput = { kind: 'question', chatId: CHAT, request: { question: 'Why? '.repeat(3000) } };
    await askSteps([STEPS[0]!, long, STEPS[2]!]);
    const first = await seeStep('1 of 3');
    slack.ada.press(first, 'SQLite');
    await slack.see('2 of 3');
    await until(() => expect(slack.text(first)).toContain('Answered by ada'));
  });
});

describe('what was meant for one step never answers the next', () => {
  test('a button of an earlier step hears that it is answered', async () => {
    await slack.run();
    const [, second] = await askSteps();
    const message = await seeStep('1 of 3');
    const [, postgres] = see(message).controls;
    slack.ada.press(message, 'SQLite');
    await seeStep('2 of 3');
    slack.ada.pressControl(message, postgres!);
    await slack.whisper('Already answered by ada');
    await expectPending(second);
    expect(slack.labels(message)).toHaveLength(2);
  });

  test('a second press on the place where the next step has appeared decides nothing', async () => {
    await slack.run({ momentMs: MOMENT_MS });
    const [, second] = await askSteps();
    const message = await seeStep('1 of 3');
    slack.ada.press(message, 'SQLite', { at: Number(message.ts) * 1000 + 2 * MOMENT_MS });
    await seeStep('2 of 3');
    slack.ada.press(message, 'eu', { at: Date.now() });
    await slack.whisper('This came too soon');
    await expectPending(second);
    await sleep(MOMENT_MS);
    slack.ada.press(message, 'eu', { at: Date.now() + 60_000 });
    expect(await slack.beckon.wait(second.id)).toMatchObject({ answer: { text: 'eu' } });
  });

  test('a text that was written before the step appeared is not used, and the next one is', async () => {
    await slack.run({ stateFile: slack.stateFile });
    const [first, second] = await askSteps();
    const message = await seeStep('1 of 3');
    slack.server.sockets.hold();
    slack.ada.say('Postgres', message);
    await slack.beckon.answer(first.id, { text: 'SQLite' }, PAGE);
    await seeStep('2 of 3');
    await slack.kept(second.id, { beganAt: expect.any(Number) });
    slack.server.sockets.releaseReversed();
    await slack.see(NOT_USED);
    await expectPending(second);
    slack.ada.say('eu', message);
    expect(await slack.beckon.wait(second.id)).toMatchObject({ answer: { text: 'eu' } });
  });

  test('a text that comes in the moment in which the step appears is not used', async () => {
    await slack.run({ momentMs: 60_000, stateFile: slack.stateFile });
    const [first, second] = await askSteps();
    const message = await seeStep('1 of 3');
    await slack.beckon.answer(first.id, { text: 'SQLite' }, PAGE);
    await seeStep('2 of 3');
    await slack.kept(second.id, { beganAt: expect.any(Number) });
    slack.ada.say('Postgres', message);
    await slack.see(NOT_USED);
    await expectPending(second);
  });
});
