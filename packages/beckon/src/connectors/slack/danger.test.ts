import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openRules } from '../../open-rules.ts';
import { describeRisk } from '../../presentation/describe-risk.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { type KeptMessage, see } from '../../testing/harness/slack/slack-workspace.ts';
import { useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';

const slack = useSlack();
const MOMENT_MS = 1000;
const FORCE = 'git push --force origin HEAD:main';
const SECOND = ['Back', 'Allow anyway', 'Deny'];

const approve = (command: string): Promise<Interaction> =>
  slack.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
const controlOf = (message: KeptMessage, label: string) => see(message).controls.find(({ text }) => text === label)!;
const later = (): number => Date.now() + 60_000;

async function expectPending({ id }: Interaction): Promise<void> {
  expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
}

/** Presses Allow, and waits for the second step. */
async function begin(message: KeptMessage): Promise<void> {
  slack.ada.press(message, 'Allow');
  await until(() => expect(slack.labels(message)).toEqual(SECOND));
}

describe('a dangerous request in Slack', () => {
  test('says why, and takes two presses on two places', async () => {
    await slack.run();
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    expect(slack.text(message)).toContain(`⚠ ${describeRisk(assessRisk(asked), 3)}\n`);
    expect(slack.text(message)).toContain('Allow asks once more');
    expect(slack.labels(message)).toEqual(['Deny', 'Allow']);
    await begin(message);
    expect(slack.text(message)).toContain('Allow it all the same? Nothing was sent yet.');
    await expectPending(asked);
    slack.ada.press(message, 'Allow anyway');
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
    await until(() => expect(slack.text(message)).toContain('✓ Allowed by ada in Slack'));
    expect(slack.text(message)).not.toContain('Nothing was sent yet');
    expect(slack.labels(message)).toEqual([]);
  });

  test('has the second step in rows of its own, with "Allow anyway" in neither the first nor the last', async () => {
    await slack.run();
    await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    const first = new Set(see(message).controls.map(({ block_id }) => block_id));
    await begin(message);
    const rows = see(message).controls.map(({ block_id }) => block_id);
    expect(new Set(rows).size).toBe(3);
    // Slack would keep the old place, and what was chosen there, under the same name.
    expect(rows.some((row) => first.has(row))).toBe(false);
  });

  test('is denied with one press, from either side', async () => {
    await slack.run();
    const first = await approve(FORCE);
    slack.ada.press(await slack.see('Allow Bash?'), 'Deny');
    expect(await slack.beckon.wait(first.id)).toMatchObject({ answer: { decision: 'deny' } });
    const second = await approve(`${FORCE} --tags`);
    const message = await slack.see('--tags');
    await begin(message);
    slack.ada.press(message, 'Deny');
    expect(await slack.beckon.wait(second.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('goes back, and an old "Allow anyway" does not count any more, nor after the next Allow', async () => {
    await slack.run();
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    await begin(message);
    const old = controlOf(message, 'Allow anyway');
    slack.ada.press(message, 'Back');
    await until(() => expect(slack.labels(message)).toEqual(['Deny', 'Allow']));
    slack.ada.pressControl(message, old);
    await slack.whisper('This message has changed since');
    await begin(message);
    slack.ada.pressControl(message, old);
    await until(() => expect(slack.server.whispers).toHaveLength(2));
    await expectPending(asked);
    slack.ada.press(message, 'Allow anyway');
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('is not allowed by a press right after the buttons changed', async () => {
    await slack.run({ momentMs: MOMENT_MS });
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    slack.ada.press(message, 'Allow', { at: Date.now() + 2 * MOMENT_MS });
    await until(() => expect(slack.labels(message)).toEqual(SECOND));
    slack.ada.press(message, 'Allow anyway', { at: Date.now() + 200 });
    await slack.whisper('This came too soon');
    await expectPending(asked);
    // By our own clock too.
    slack.ada.press(message, 'Allow anyway', { at: later() });
    await until(() => expect(slack.server.whispers).toHaveLength(2));
    await expectPending(asked);
    await sleep(MOMENT_MS);
    slack.ada.press(message, 'Allow anyway', { at: later() });
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test.each([-3_600_000, 3_600_000])(
    'is guarded the same if the clock of Slack is %i ms ahead, right after a restart too',
    async (aheadMs) => {
      slack.server.aheadMs = aheadMs;
      const { stateFile } = slack;
      const first = await slack.run({ stateFile, momentMs: MOMENT_MS });
      const asked = await approve(FORCE);
      const message = await slack.see('Allow Bash?');
      await first.stop();
      await slack.run({ stateFile, momentMs: MOMENT_MS });
      slack.ada.press(message, 'Allow', { at: Number(message.ts) * 1000 + 2 * MOMENT_MS });
      await until(() => expect(slack.labels(message)).toEqual(SECOND));
      slack.ada.press(message, 'Allow anyway', { at: Date.now() + aheadMs });
      await slack.whisper('This came too soon');
      await expectPending(asked);
      await sleep(MOMENT_MS);
      slack.ada.press(message, 'Allow anyway', { at: Date.now() + aheadMs + 60_000 });
      expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
    },
  );

  test('is not allowed by "Allow" twice, in two envelopes or two presses', async () => {
    await slack.run();
    slack.server.sockets.doubling = 'other envelope';
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    const allow = controlOf(message, 'Allow');
    slack.ada.pressControl(message, allow);
    slack.ada.pressControl(message, allow);
    await until(() => expect(slack.labels(message)).toEqual(SECOND));
    slack.ada.pressControl(message, allow);
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    await expectPending(asked);
  });

  test('is allowed by one person, not by two half', async () => {
    await slack.run();
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    await begin(message);
    slack.bob.press(message, 'Allow anyway');
    expect(await slack.whisper('Somebody else began to allow this.')).toMatchObject({ user: slack.bob.id });
    await expectPending(asked);
  });

  test('starts again after a restart', async () => {
    const { stateFile } = slack;
    const running = await slack.run({ stateFile });
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    await begin(message);
    const old = controlOf(message, 'Allow anyway');
    await running.stop();
    await slack.run({ stateFile });
    await until(() => expect(slack.labels(message)).toEqual(['Deny', 'Allow']));
    slack.ada.pressControl(message, old);
    await slack.whisper('This message has changed since');
    await expectPending(asked);
  });

  test('is not allowed by a text that says yes; "allow anyway" does', async () => {
    await slack.run();
    const asked = await approve(FORCE);
    const message = await slack.see('Allow Bash?');
    slack.ada.say('yes', message);
    expect(await slack.see('To allow it, write: allow anyway')).toMatchObject({ thread_ts: message.ts });
    await expectPending(asked);
    slack.ada.say('Allow anyway', message);
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('what is routine says nothing of risk and takes one press', async () => {
    await slack.run();
    const asked = await approve('npm test');
    const message = await slack.see('Allow Bash?');
    expect(slack.text(message)).not.toMatch(/[⚠△]/);
    slack.ada.press(message, 'Allow');
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });
});

test('what a rule decides is not posted', async () => {
  const rules = await openRules({ store: `sqlite:${join(dirname(slack.stateFile), 'beckon.db')}`, who: 'ada' });
  await rules.add({ effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } });
  await rules.close();
  await slack.run();
  expect(await approve('npm test')).toMatchObject({ status: 'answered', answeredBy: { kind: 'rule', who: 'ada' } });
  await approve('ls');
  await slack.see('ls');
  expect(slack.server.messages.filter((message) => slack.text(message).includes('npm test'))).toEqual([]);
});
