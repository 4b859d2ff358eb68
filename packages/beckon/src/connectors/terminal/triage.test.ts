import { describe, expect, test } from 'vitest';
import { LocalHistory } from '../../runtime/local-history.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { createFakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { SHOP, useInbox } from '../../testing/harness/terminal/use-inbox.ts';

const { enter, down, escape } = KEYS;
const RIGHT = '\u001b[C';
const LEFT = '\u001b[D';

const inbox = useInbox();
const expectScreen = (pattern: RegExp): Promise<void> => inbox().expectScreen(pattern);

describe('the list', () => {
  test('folds a group and goes from group to group', async () => {
    await inbox().bash('one');
    await inbox().bash('two');
    await inbox().bash('three', { ...SHOP, project: 'api' });
    await inbox().start();
    await expectScreen(/3 waiting/);
    inbox().press('J');
    await expectScreen(/> 3 {3}\$ three/);
    inbox().press('K');
    await expectScreen(/> 1 {3}\$ one/);
    inbox().press(' ');
    await expectScreen(/>▸ webshop {2}feature\/currency +2\n ▾ api/);
    inbox().press(enter);
    await expectScreen(/> 1 {3}\$ one/);
    inbox().press(LEFT);
    await expectScreen(/>▸ webshop/);
    inbox().press(RIGHT);
    await expectScreen(/ ▾ webshop/);
  });

  test('searches while one types, and Esc shows all again', async () => {
    await inbox().bash('npm test');
    await inbox().bash('git push');
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press('/');
    inbox().press('quit pusx');
    await expectScreen(/nothing waiting\n\/quit pusx█/);
    inbox().press('\u007f'.repeat(9));
    inbox().press('PUSH');
    await expectScreen(/1 waiting\n\/PUSH█[^]*\$ git push/);
    inbox().press(enter);
    await expectScreen(/\/PUSH\n/);
    inbox().press(escape);
    await expectScreen(/2 waiting/);
  });

  test('decides about what is marked in one commit, each listed before, and one that was settled meanwhile says so', async () => {
    const asked = [
      await inbox().bash('npm test'),
      await inbox().bash('npm run build'),
      await inbox().bash('npm run lint'),
      await inbox().bash('ls'),
    ];
    await inbox().start();
    await expectScreen(/4 waiting/);
    inbox().press('x');
    inbox().press(`${down}x`);
    inbox().press(`${down}x${down}x`);
    await expectScreen(/y allow 4/);
    inbox().press('y');
    await expectScreen(
      /Allow these 4\?\n\n> npm test \(webshop · feature\/currency[^]*npm run build[^]*npm run lint[^]*ls \(/,
    );
    inbox().press(`${down}${down}${down}x`);
    await expectScreen(/Allow these 3\?/);
    await inbox().beckon.answer(String(asked[2]?.id), { decision: 'deny' }, { who: 'ada', via: 'inbox' });
    inbox().press(enter);
    for (const { id } of asked.slice(0, 2)) {
      expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
    }
    await expectScreen(
      /1 waiting[^]*✓ npm run build - Allowed by dev@laptop in the terminal[^]*✗ npm run lint - Denied by ada/,
    );
    expect(await inbox().beckon.get(String(asked[3]?.id))).toMatchObject({ status: 'pending' });
  });

  test('denies what is marked with one reason', async () => {
    const asked = [await inbox().bash('npm test'), await inbox().bash('ls')];
    await inbox().start();
    await expectScreen(/2 waiting/);
    inbox().press(`x${down}xr`);
    await expectScreen(/Why not\? All 2 agents read this\./);
    inbox().press(`later${enter}`);
    await expectScreen(/Deny these 2\?\nBecause {2}later/);
    inbox().press(enter);
    for (const { id } of asked) {
      expect(await inbox().beckon.wait(id)).toMatchObject({ answer: { decision: 'deny', message: 'later' } });
    }
  });

  test('marks what is alike, from the list and from a request, and only approvals', async () => {
    await inbox().bash('npm test -- --run api');
    await inbox().bash('npm test -- --run web');
    await inbox().bash('make clean');
    await inbox().beckon.ask({
      kind: 'question',
      request: { question: 'Why?' },
      context: SHOP,
      sessionId: 's1',
      askedBy: 'laptop',
    });
    await inbox().start();
    await expectScreen(/4 waiting/);
    inbox().press('a');
    await expectScreen(/1 ✔ \$ npm test[^]*2 ✔ \$ npm test[^]*3 {3}\$ make[^]*y allow 2/);
    inbox().press(escape);
    await expectScreen(/enter opens/);
    inbox().press(enter);
    await expectScreen(/a 2 like this/);
    inbox().press('a');
    await expectScreen(/y allow 2/);
    inbox().press(`${escape}`);
    await expectScreen(/enter opens/);
    inbox().press(`${down}${down}${down}x`);
    await expectScreen(/Only approvals can be decided together/);
  });

  test('snoozes a request for this person, and says how many are hidden', async () => {
    const first = await inbox().bash('npm test');
    await inbox().bash('ls');
    const history = new LocalHistory({ store: await inbox().database.open(), clock: systemClock, who: 'dev@laptop' });
    await history.rename('s1', 'A better title');
    await inbox().start({ history });
    await expectScreen(/2 waiting[^]*laptop · A better title/);
    inbox().press('s');
    await expectScreen(/Hide it from you until:[^]*2 in 1 hour/);
    inbox().press('2');
    await expectScreen(/1 waiting[^]*1 snoozed[^]*Snoozed until/);
    expect(await history.snoozes()).toMatchObject([{ interactionId: first.id }]);
    inbox().press(enter);
    await expectScreen(/“A better title”[^]*Bash\n\$ ls[^]*s snooze/);
    inbox().press('c');
    await expectScreen(/Conversation\n {7}npm test\n {7}ls\n/);
  });
});

test('at 60 columns and 12 rows a request is read and decided', async () => {
  inbox().terminal = createFakeTerminal({ columns: 60, rows: 12 });
  const asked = await inbox().bash('npm run a-command-that-is-longer-than-sixty-columns-are-wide -- --with --options');
  await inbox().start();
  await expectScreen(/1 waiting/);
  inbox().press(enter);
  await expectScreen(/more below/);
  for (const _ of [1, 2, 3]) inbox().press(' ');
  await expectScreen(/--options[^]*y allow/);
  for (const line of inbox().terminal.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  inbox().press('y');
  expect(await inbox().beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
});
