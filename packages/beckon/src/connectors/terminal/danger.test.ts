import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { describeRisk, toReason } from '../../presentation/describe-risk.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { createFakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { useInbox } from '../../testing/harness/terminal/use-inbox.ts';

const { enter, escape } = KEYS;
const FORCE = 'git push --force origin HEAD:main';
/** Longer than any pause of the guard. */
const REST_MS = 900;

const inbox = useInbox();
const expectScreen = (pattern: RegExp): Promise<void> => inbox().expectScreen(pattern);
const toReasons = (asked: Interaction): string[] => assessRisk(asked).findings.map(toReason);

async function expectPending(...asked: Interaction[]): Promise<void> {
  for (const { id } of asked) expect(await inbox().beckon.get(id)).toMatchObject({ status: 'pending' });
}

/** Opens the only request. */
async function open(): Promise<void> {
  await expectScreen(/1 waiting/);
  inbox().press(enter);
  await expectScreen(/y allow/);
}

describe('in the list', () => {
  test('what is dangerous comes first, with a sign and a word, and the head counts it', async () => {
    await inbox().bash('npm test');
    await inbox().bash(FORCE);
    await inbox().start();
    await expectScreen(
      /^Beckon inbox: 2 waiting, ⚠ 1 dangerous\n[^]*> 1 {3}⚠ git push --force.* dangerous .*\n {2}2 {3}\$ npm test .*\n/,
    );
  });

  test('without color it says the same', async () => {
    await inbox().bash(FORCE);
    await inbox().start();
    await expectScreen(/⚠ 1 dangerous[^]*⚠ git push/);
  });

  test('f shows only what needs care, and Esc shows all again', async () => {
    await inbox().bash('npm test');
    await inbox().bash(FORCE);
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press('f');
    await expectScreen(/1 waiting, ⚠ 1 dangerous\nOnly notable and dangerous\n/);
    inbox().press('f');
    await expectScreen(/Only dangerous\n[^]*⚠ git push/);
    inbox().press(escape);
    await expectScreen(/2 waiting[^]*npm test/);
    inbox().press('fff');
    await expectScreen(/2 waiting[^]*npm test/);
  });

  test('a folded group says what is dangerous in it', async () => {
    await inbox().bash('npm test');
    await inbox().bash(FORCE);
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press(' ');
    await expectScreen(/>▸ webshop .* ⚠ 1 dangerous {2}2\n/);
  });
});

describe.each([60, 120])('at %i columns', (columns) => {
  test('the findings are listed, and stand under their words', async () => {
    inbox().terminal = createFakeTerminal({ columns, rows: 40 });
    const asked = await inbox().bash(`cd /srv/shop && ${FORCE}`);
    await inbox().start();
    await open();
    const screen = inbox().terminal.screen();
    const [reason = 'none'] = toReasons(asked);
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(`⚠ Dangerous ${reason}`);
    const lines = screen.split('\n');
    const command = lines.findIndex((line) => line.startsWith('$ '));
    const marks = lines[command + 1] ?? '';
    const [mark] = /‾+/.exec(marks) ?? [''];
    expect(lines[command]?.slice(marks.indexOf('‾'))).toMatch(/^\S/);
    expect(mark.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test('a screen reader is told in words only', async () => {
    inbox().terminal = createFakeTerminal({ columns, rows: 40 });
    await inbox().bash(FORCE);
    await inbox().start({ env: { ACCESSIBLE: '1' } });
    await open();
    await expectScreen(/⚠ Dangerous {2}\S/);
    expect(inbox().terminal.screen()).not.toContain('‾');
  });
});

describe('allowing what is dangerous', () => {
  test('takes y and then A', async () => {
    const asked = await inbox().bash(FORCE);
    await inbox().start();
    await open();
    await expectScreen(/y allow … · n deny/);
    inbox().press('y');
    await expectScreen(/\n⚠ Dangerous: \S[^]*A allow anyway · any other key: back/);
    await expectPending(asked);
    inbox().press('A');
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test.each([
    ['y', 'y'],
    ['Enter', enter],
    ['a small a', 'a'],
    ['n', 'n'],
    ['Esc', escape],
  ])('%s after y goes back, and allows nothing', async (_, key) => {
    const asked = await inbox().bash(FORCE);
    await inbox().start();
    await open();
    inbox().press('y');
    await expectScreen(/A allow anyway/);
    inbox().press(key);
    await expectScreen(/y allow …|⚠ git push/);
    inbox().press('A');
    await expectPending(asked);
  });

  test('A alone does nothing, and there is no m', async () => {
    const asked = await inbox().bash(FORCE);
    await inbox().start();
    await open();
    expect(inbox().terminal.screen()).not.toContain('m remember');
    for (const key of ['A', 'm', enter, 'A']) inbox().press(key);
    await sleep(100);
    await expectScreen(/y allow …/);
    await expectPending(asked);
  });

  test('denying takes one key', async () => {
    const asked = await inbox().bash(FORCE);
    await inbox().start();
    await open();
    inbox().press('n');
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('an edit is judged by what it does', async () => {
    const [risky, safe] = [await inbox().bash('npm test'), await inbox().bash(FORCE)];
    await inbox().start({ editText: async (text) => (text === 'npm test' ? FORCE : 'npm test') });
    await expectScreen(/2 waiting/);
    inbox().press(enter);
    await expectScreen(/y allow …/);
    inbox().press('e');
    await expectScreen(/Your changes[^]*y allow, as edited · n/);
    inbox().press('y');
    expect(await inbox().beckon.wait(safe.id)).toMatchObject({ answer: { updatedInput: { command: 'npm test' } } });
    await expectScreen(/\$ npm test[^]*y allow · n/);
    inbox().press('e');
    await expectScreen(/Your changes[^]*y allow, as edited … · n/);
    inbox().press('y');
    await expectScreen(/A allow anyway/);
    await expectPending(risky);
  });
});

describe('a hasty hand', () => {
  const start = async (): Promise<Interaction> => {
    const asked = await inbox().bash(FORCE);
    await inbox().start({ keyTimes: undefined as never });
    await expectScreen(/1 waiting/);
    await sleep(REST_MS);
    inbox().press(enter);
    await expectScreen(/y allow …/);
    await sleep(REST_MS);
    return asked;
  };

  test('that pastes both keys allows nothing', async () => {
    const asked = await start();
    inbox().press('yA');
    await sleep(REST_MS);
    inbox().press('yAAAA');
    await sleep(REST_MS);
    await expectPending(asked);
  });

  test('that presses the second key at once allows nothing', async () => {
    const asked = await start();
    inbox().press('y');
    await expectScreen(/A allow anyway/);
    inbox().press('A');
    await sleep(REST_MS);
    await expectPending(asked);
    await expectScreen(/A allow anyway/);
    inbox().press('A');
    expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('that holds y allows nothing', async () => {
    const asked = await start();
    inbox().press('y');
    await sleep(500);
    for (let index = 0; index < 40; index += 1) {
      inbox().press('y');
      await sleep(30);
    }
    await sleep(REST_MS);
    await expectPending(asked);
  });
});

describe('several at once', () => {
  test('what is dangerous is left out of an allow, and named', async () => {
    const [safe, risky] = [await inbox().bash('npm test'), await inbox().bash(FORCE)];
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press('xjxy');
    await expectScreen(/Allow this one\?\n\n> npm test [^]*Dangerous, so left out[^]*⚠ git push --force/);
    inbox().press(enter);
    expect(await inbox().beckon.wait(safe.id)).toMatchObject({ answer: { decision: 'allow' } });
    await expectPending(risky);
  });

  test('where nothing else is marked, nothing is allowed', async () => {
    const risky = await inbox().bash(FORCE);
    await inbox().start();
    await expectScreen(/1 waiting/);
    inbox().press('xy');
    await expectScreen(/is not allowed together with others\. Open each to decide\./);
    await expectPending(risky);
  });

  test('denied it can be with the others', async () => {
    const asked = [await inbox().bash('npm test'), await inbox().bash(FORCE)];
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press('xjxn');
    await expectScreen(/Deny these 2\?/);
    inbox().press(enter);
    for (const { id } of asked) expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' } });
  });
});

test('what a person reads of the risk has its reasons in it', async () => {
  const asked = await inbox().bash(FORCE);
  expect(describeRisk(assessRisk(asked))).toMatch(/^Dangerous: \S/);
});
