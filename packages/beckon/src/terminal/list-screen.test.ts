import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { createFakeTerminal } from '../testing/harness/terminal/fake-terminal.ts';
import { ASKED_AT, after, createQuestion } from '../testing/suites/samples.ts';
import { InboxList } from './inbox-list.ts';
import { renderList } from './list-screen.ts';
import { Screen } from './screen.ts';

const NOW = Date.parse(ASKED_AT) + 90_000;
const SHOP = { project: 'webshop', branch: 'feature/currency', title: 'Convert the cart' };

function render(list: InboxList, size = {}): string[] {
  const { input, output } = createFakeTerminal(size);
  const lines = renderList(new Screen(input, output), list, { now: NOW, sizes: new Map() });
  return lines.map((line) => stripVTControlCharacters(line));
}

function call(tool: string, input: object, changes: object = {}): Interaction {
  return { ...createQuestion(), kind: 'approval', request: { tool, input }, ...changes } as Interaction;
}

test('requests stand below their project, branch, asker and session title, each with its kind, size, time left and age', () => {
  const list = new InboxList();
  const shared = { context: SHOP, sessionId: 's', askedBy: 'laptop' };
  list.put(createQuestion({ ...shared, id: 'int_1', expiresAt: after(300_000) }));
  const edit = { file_path: 'a.ts', old_string: 'a\nb', new_string: 'a\nc\nd' };
  list.put(call('Edit', edit, { ...shared, id: 'int_2', expiresAt: after(3_600_000) }));
  list.put(call('Bash', { command: 'ls' }, { id: 'int_3', askedBy: 'server' }));
  list.mark(['int_2']);
  expect(render(list, { columns: 60 })).toEqual([
    'Beckon inbox: 3 waiting',
    '',
    ' ▾ webshop  feature/currency                               2',
    '   laptop · Convert the cart',
    '> 1   ? Which database?                         3m left   1m',
    '  2 ✔ ± Edit a.ts                                 +2 -1   1m',
    ' ▾ server                                                  1',
    '  3   $ ls                                                1m',
    '',
    'y allow 1 · n deny 1 · r deny 1, because … · x mark',
    'esc none',
  ]);
});

test('the questions of a call say how many they are, and the last one which', () => {
  const list = new InboxList();
  const ask = (id: string, step: number): Interaction =>
    createQuestion({ id, groupId: 'g', metadata: { step, steps: 4 } });
  list.put(ask('int_3', 3));
  list.put(ask('int_4', 4));
  expect(render(list).join('\n')).toContain('2 questions');
  list.remove('int_3');
  expect(render(list).join('\n')).toContain('4/4');
});

test('an empty list says so', () => {
  expect(render(new InboxList())[0]).toBe('Beckon inbox: nothing waiting');
});

test.each([
  [40, 10],
  [60, 12],
])('at %i columns and %i rows every line fits, and what is selected is seen', (columns, rows) => {
  const list = new InboxList();
  for (let index = 0; index < 20; index += 1) {
    const question = `Question ${index} 日本語 with a text that is far too long for such a screen`;
    const context = { project: 'p'.repeat(80), branch: 'b'.repeat(80), title: 't'.repeat(200) };
    list.put(createQuestion({ context, createdAt: after(index), request: { question, options: [] } }));
  }
  list.select(12);
  const lines = render(list, { columns, rows });
  expect(lines.length).toBeLessThanOrEqual(rows);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  expect(lines.some((line) => line.startsWith('>     ? Question 12'))).toBe(true);
  expect(lines.some((line) => line.includes('above') && line.includes('below'))).toBe(true);
});

test('the asker is shown below what an agent calls its project, however long that is', () => {
  const list = new InboxList();
  list.put(createQuestion({ askedBy: 'laptop', context: { project: 'server', title: 't'.repeat(300) } }));
  expect(render(list, { columns: 40 }).join('\n')).toContain('   laptop · ttt');
});

test('escape sequences in a question, a project, a title and a branch are made visible', () => {
  const list = new InboxList();
  const evil = 'a\u001b[2Jb';
  const context = { project: evil, branch: evil, title: evil };
  list.put(createQuestion({ context, request: { question: evil, options: [] } }));
  const text = render(list).join('\n');
  expect(text.match(/a\[U\+001B\]\[2Jb/g)).toHaveLength(4);
});
