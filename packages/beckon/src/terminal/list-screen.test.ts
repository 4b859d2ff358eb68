import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import { createFakeTerminal } from '../testing/harness/terminal/fake-terminal.ts';
import { ASKED_AT, after, createQuestion } from '../testing/suites/samples.ts';
import { InboxList } from './inbox-list.ts';
import { renderList, toSpan } from './list-screen.ts';
import { Screen } from './screen.ts';

const NOW = Date.parse(ASKED_AT) + 90_000;

function render(list: InboxList, size = {}): string[] {
  const { input, output } = createFakeTerminal(size);
  return renderList(new Screen(input, output), list, NOW).map((line) => stripVTControlCharacters(line));
}

test('each item has its number, what is asked, kind, chat, age and time left', () => {
  const list = new InboxList();
  list.put(createQuestion({ chatId: 'ops', expiresAt: after(300_000) }));
  expect(render(list)).toEqual([
    'Beckon inbox: 1 waiting',
    '',
    '> 1 Which database?',
    '    Question · an agent · ops · 1m old · 3m left',
    '',
    'up/down or 1-9 select · enter opens · q quits',
  ]);
});

test('an empty list says so', () => {
  expect(render(new InboxList())[0]).toBe('Beckon inbox: nothing waiting');
});

test('at 40 columns and 10 rows every line fits, and what is selected is seen', () => {
  const list = new InboxList();
  for (let index = 0; index < 20; index += 1) {
    const question = `Question ${index} 日本語 with a text that is far too long for such a screen`;
    list.put(createQuestion({ chatId: 'a'.repeat(60), createdAt: after(index), request: { question, options: [] } }));
  }
  list.select(12);
  const lines = render(list, { columns: 40, rows: 10 });
  expect(lines.length).toBeLessThanOrEqual(10);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(40);
  expect(lines.some((line) => line.startsWith('>13 Question 12'))).toBe(true);
  expect(lines.some((line) => line.includes('above') && line.includes('below'))).toBe(true);
});

test('an escape sequence in a question or a chat is made visible', () => {
  const list = new InboxList();
  list.put(createQuestion({ chatId: 'x\u001b]0;y\u0007', request: { question: 'a\u001b[2Jb', options: [] } }));
  const text = render(list).join('\n');
  expect(text).toContain('a[U+001B][2Jb');
  expect(text).toContain('x[U+001B]]0;y[U+0007]');
});

test.each([
  [-5, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [7_200_000, '2h'],
  [172_800_000, '2d'],
])('%i ms are %s', (ms, shown) => {
  expect(toSpan(ms)).toBe(shown);
});
