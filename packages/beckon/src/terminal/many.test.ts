import { expect, test } from 'vitest';
import { AT_ONCE, createFakeTerminal, KEYS } from '../testing/harness/terminal/fake-terminal.ts';
import { after, createQuestion } from '../testing/suites/samples.ts';
import { InboxList } from './inbox-list.ts';
import { pick } from './pick.ts';
import { Screen } from './screen.ts';

test('ten thousand requests that arrive one by one are drawn together, and a key is taken at once', async () => {
  const terminal = createFakeTerminal();
  const list = new InboxList();
  const leaving = new AbortController();
  const screen = new Screen(terminal.input, terminal.output, AT_ONCE);
  const picking = { now: Date.now, signal: leaving.signal, canSnooze: false, sizes: new Map() };
  const picked = pick(screen, list, picking);
  for (let index = 0; index < 10_000; index += 1) {
    const context = { project: `project-${index % 40}`, branch: 'main', title: 'Many' };
    list.put(createQuestion({ context, sessionId: `s${index % 200}`, createdAt: after(index) }));
    if (index % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await terminal.seen(/10000 waiting/);
  const draws = terminal.written().split('Beckon inbox').length;
  expect(draws).toBeLessThan(200);
  terminal.press(KEYS.down + KEYS.enter);
  await expect(picked).resolves.toHaveProperty('open');
});
