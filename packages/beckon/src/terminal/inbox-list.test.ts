import { expect, test } from 'vitest';
import { after, createQuestion } from '../testing/suites/samples.ts';
import { InboxList, toClosing } from './inbox-list.ts';

function createList(): InboxList {
  const list = new InboxList();
  for (const [index, id] of ['int_a', 'int_b', 'int_c'].entries()) {
    list.put(createQuestion({ id, createdAt: after(index) }));
  }
  return list;
}

test('the oldest is first, whatever the order of arrival', () => {
  const list = new InboxList();
  list.put(createQuestion({ id: 'int_2', createdAt: after(2) }));
  list.put(createQuestion({ id: 'int_1', createdAt: after(1) }));
  expect(list.items.map(({ id }) => id)).toEqual(['int_1', 'int_2']);
  expect(list.selected).toBe(0);
});

test('what is selected stays selected when something before it goes', () => {
  const list = createList();
  list.select(1);
  list.remove('int_a');
  expect(list.items[list.selected]?.id).toBe('int_b');
});

test('when what is selected goes, its place is selected', () => {
  const list = createList();
  list.select(2);
  list.remove('int_c');
  expect(list.items[list.selected]?.id).toBe('int_b');
});

test('shown again, it is there once', () => {
  const list = createList();
  list.put(createQuestion({ id: 'int_a', createdAt: after(0) }));
  expect(list.items).toHaveLength(3);
});

test('a selection beyond the ends stops there', () => {
  const list = createList();
  list.select(9);
  expect(list.selected).toBe(2);
  list.select(-1);
  expect(list.selected).toBe(0);
});

test('the last three remarks are kept', () => {
  const list = createList();
  for (const text of ['1', '2', '3', '4']) list.notice(text);
  expect(list.notices).toEqual(['2', '3', '4']);
});

test('a closing line says what it was, who answered and where', () => {
  const settled = createQuestion({
    status: 'answered',
    answer: { text: 'SQLite' },
    answeredBy: { who: 'ada\u001b[2J', via: 'telegram', kind: 'person' },
  });
  expect(toClosing(settled)).toBe('Which database? - Answered by ada[U+001B][2J in Telegram: SQLite');
});
