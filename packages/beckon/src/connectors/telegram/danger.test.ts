import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';
import { openRules } from '../../open-rules.ts';
import { describeRisk } from '../../presentation/describe-risk.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import type { Person, SeenMessage } from '../../testing/harness/telegram/bot-api.ts';
import { ADA, CHAT, useTelegram } from '../../testing/harness/telegram/use-telegram.ts';
import { until } from '../../testing/suites/until.ts';

const telegram = useTelegram();
const BOB: Person = { id: 2002, first_name: 'Bob', username: 'bob' };
const MOMENT_MS = 1000;
const FORCE = 'git push --force origin HEAD:main';

const approve = (command: string): Promise<Interaction> =>
  telegram.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
const labels = ({ buttons }: SeenMessage): string[] => buttons.map(({ text }) => text);
const dataOf = ({ buttons }: SeenMessage, label: string): string =>
  buttons.find(({ text }) => text === label)?.data ?? '';

async function expectPending({ id }: Interaction): Promise<void> {
  expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
}

/** Presses Allow, and waits for the second step. */
async function begin(message: SeenMessage, person = ADA): Promise<void> {
  telegram.server.press(message, person, 'Allow');
  await until(() => expect(labels(message)).toEqual(['Back', 'Allow anyway', 'Deny']));
}

describe('a dangerous request in Telegram', () => {
  test('says why, and takes two presses on two places', async () => {
    await telegram.run();
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    expect(message.text).toContain(`⚠ ${describeRisk(assessRisk(asked), 3)}\n`);
    expect(message.text).toContain('Allow asks once more');
    expect(labels(message)).toEqual(['Deny', 'Allow']);
    await begin(message);
    expect(message.text).toContain('Allow it all the same? Nothing was sent yet.');
    await expectPending(asked);
    telegram.server.press(message, ADA, 'Allow anyway');
    expect(await telegram.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
    await telegram.see('Allowed by @ada in Telegram');
    await until(() => expect(message.text).not.toContain('Nothing was sent yet'));
    expect(message.buttons).toEqual([]);
  });

  test('has no button that allows it where Allow was', async () => {
    await telegram.run();
    await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    await begin(message);
    // The keyboard may grow up or down: its first and its last row can come to lie under the finger.
    expect(labels(message).at(0)).toBe('Back');
    expect(labels(message).at(-1)).toBe('Deny');
  });

  test('is denied with one press, from either side', async () => {
    await telegram.run();
    const first = await approve(FORCE);
    telegram.server.press(await telegram.see('Allow Bash?'), ADA, 'Deny');
    expect(await telegram.beckon.wait(first.id)).toMatchObject({ answer: { decision: 'deny' } });
    const second = await approve(`${FORCE} --tags`);
    const message = await telegram.see('--tags');
    await begin(message);
    telegram.server.press(message, ADA, 'Deny');
    expect(await telegram.beckon.wait(second.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('goes back, and an old "Allow anyway" does not count any more, nor after the next Allow', async () => {
    await telegram.run();
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    await begin(message);
    const old = dataOf(message, 'Allow anyway');
    telegram.server.press(message, ADA, 'Back');
    await until(() => expect(labels(message)).toEqual(['Deny', 'Allow']));
    expect(await telegram.toast(telegram.server.pressData(CHAT, message.message_id, ADA, old))).toMatch(/has changed/);
    await begin(message);
    expect(await telegram.toast(telegram.server.pressData(CHAT, message.message_id, ADA, old))).toMatch(/has changed/);
    await expectPending(asked);
    telegram.server.press(message, ADA, 'Allow anyway');
    expect(await telegram.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('is not allowed by a double tap, nor by a press right after the buttons changed', async () => {
    await telegram.run({ momentMs: MOMENT_MS });
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    await sleep(MOMENT_MS + 200);
    const allow = dataOf(message, 'Allow');
    telegram.server.press(message, ADA, 'Allow');
    telegram.server.pressData(CHAT, message.message_id, ADA, allow);
    await until(() => expect(labels(message)).toContain('Allow anyway'));
    const soon = telegram.server.press(message, ADA, 'Allow anyway');
    expect(await telegram.toast(soon)).toMatch(/^This came too soon/);
    await expectPending(asked);
    await sleep(MOMENT_MS + 200);
    telegram.server.press(message, ADA, 'Allow anyway');
    expect(await telegram.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('is allowed by one person, not by two half', async () => {
    await telegram.run({ users: [ADA.id, BOB.id] });
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    await begin(message);
    expect(await telegram.toast(telegram.server.press(message, BOB, 'Allow anyway'))).toMatch(/^Somebody else began/);
    await expectPending(asked);
  });

  test('starts again after a restart, even for a press from before the first look', async () => {
    const { stateFile } = telegram;
    const running = await telegram.run({ stateFile });
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    await begin(message);
    await running.stop();
    const late = telegram.server.press(message, ADA, 'Allow anyway');
    await telegram.run({ stateFile });
    expect(await telegram.toast(late)).toMatch(/has changed/);
    await expectPending(asked);
    await until(() => expect(labels(message)).toEqual(['Deny', 'Allow']));
  });

  test('pressed while Beckon was away, Allow asks for the second step', async () => {
    const { stateFile } = telegram;
    const running = await telegram.run({ stateFile });
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    await running.stop();
    telegram.server.press(message, ADA, 'Allow');
    await telegram.run({ stateFile });
    await until(() => expect(labels(message)).toContain('Allow anyway'));
    await expectPending(asked);
  });

  test('is not allowed by a text that says yes, as a reply or alone; "allow anyway" does', async () => {
    await telegram.run();
    const asked = await approve(FORCE);
    const message = await telegram.see('Allow Bash?');
    telegram.server.say(CHAT, ADA, 'yes');
    await until(() => expect(telegram.server.messages.at(-1)?.text).toContain('To allow it, write: allow anyway'));
    const before = telegram.server.messages.length;
    telegram.server.say(CHAT, ADA, 'ok', message.message_id);
    await until(() => expect(telegram.server.messages.length).toBeGreaterThan(before));
    expect(telegram.server.messages.at(-1)?.text).toContain('A plain yes does not allow this.');
    await expectPending(asked);
    telegram.server.say(CHAT, ADA, 'Allow anyway', message.message_id);
    expect(await telegram.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('what is routine says nothing of risk and takes one press', async () => {
    await telegram.run();
    const asked = await approve('npm test');
    const message = await telegram.see('Allow Bash?');
    expect(message.text).not.toMatch(/[⚠△]/);
    telegram.server.press(message, ADA, 'Allow');
    expect(await telegram.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });
});

test('what a rule decides is not sent, and rings nowhere', async () => {
  const rules = await openRules({ store: `sqlite:${join(dirname(telegram.stateFile), 'beckon.db')}`, who: 'ada' });
  await rules.add({ effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } });
  await rules.close();
  await telegram.run();
  expect(await approve('npm test')).toMatchObject({ status: 'answered', answeredBy: { kind: 'rule', who: 'ada' } });
  await approve('ls');
  await telegram.see('ls');
  expect(telegram.server.messages.filter(({ text }) => text.includes('npm test'))).toEqual([]);
});
