import { describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { after, createQuestion } from '../testing/suites/samples.ts';
import { InboxList } from './inbox-list.ts';

const SHOP = { project: 'webshop', branch: 'main', title: 'Convert the cart' };

function put(list: InboxList, id: string, second: number, changes: Partial<Interaction> = {}): void {
  list.put({ ...createQuestion({ id, createdAt: after(second * 1000) }), ...changes } as Interaction);
}

function createList(): InboxList {
  const list = new InboxList();
  for (const [index, id] of ['int_a', 'int_b', 'int_c'].entries()) put(list, id, index);
  return list;
}

/** Two sessions of a project, and one request of another. */
function createGroups(): InboxList {
  const list = new InboxList();
  put(list, 'int_1', 1, { context: SHOP, sessionId: 's1' });
  put(list, 'int_2', 2, { context: { project: 'api' }, sessionId: 's3' });
  put(list, 'int_3', 3, { context: SHOP, sessionId: 's2' });
  put(list, 'int_4', 4, { context: SHOP, sessionId: 's1' });
  return list;
}

const keysOf = (list: InboxList): string[] => list.stops.map(({ key }) => key);

test('the oldest is first, whatever the order of arrival', () => {
  const list = new InboxList();
  put(list, 'int_2', 2);
  put(list, 'int_1', 1);
  expect(keysOf(list)).toEqual(['int_1', 'int_2']);
  expect(list.selected).toBe(0);
});

test('requests stand by project, then by session', () => {
  expect(keysOf(createGroups())).toEqual(['int_1', 'int_4', 'int_3', 'int_2']);
  expect(createGroups().rows.map(({ type }) => type)).toEqual([
    'project',
    'session',
    'entry',
    'entry',
    'session',
    'entry',
    'project',
    'session',
    'entry',
  ]);
});

test('the questions of one call are one row, which keeps its place while they are answered one by one', () => {
  const list = createList();
  for (const step of [1, 2, 3]) {
    put(list, `int_q${step}`, 0.5, { groupId: 'g', metadata: { step, steps: 3 } });
  }
  list.select(1);
  const { here } = list;
  expect(here?.type === 'entry' && here.entry.steps.map(({ id }) => id)).toEqual(['int_q1', 'int_q2', 'int_q3']);
  list.remove('int_q1');
  expect(list.here?.key).toBe(here?.key);
  expect(list.count).toBe(4);
});

describe('the cursor', () => {
  test('stays on its request when something before it goes', () => {
    const list = createList();
    list.select(1);
    list.remove('int_a');
    expect(list.here?.key).toBe('int_b');
  });

  test('goes to the next of the same session, then of the same project, then to any', () => {
    const list = createGroups();
    list.selectKey('int_4');
    list.remove('int_4');
    expect(list.here?.key).toBe('int_1');
    list.remove('int_1');
    expect(list.here?.key).toBe('int_3');
    list.remove('int_3');
    expect(list.here?.key).toBe('int_2');
  });

  test('stops at both ends', () => {
    const list = createList();
    list.select(9);
    expect(list.selected).toBe(2);
    list.select(-1);
    expect(list.selected).toBe(0);
  });

  test('goes from project to project', () => {
    const list = createGroups();
    list.selectProject(1);
    expect(list.here?.key).toBe('int_2');
    list.selectProject(1);
    expect(list.here?.key).toBe('int_2');
    list.selectProject(-1);
    expect(list.here?.key).toBe('int_1');
  });
});

test('a folded project is one row with its count, and unfolds where it was', () => {
  const list = createGroups();
  list.select(1);
  list.fold();
  expect(list.stops.map(({ type }) => type)).toEqual(['project', 'entry']);
  expect(list.here).toMatchObject({ type: 'project', isFolded: true, project: { count: 3 } });
  expect(list.count).toBe(4);
  list.fold(false);
  expect(list.here?.key).toBe('int_1');
});

test('marks come in the order of the list, also in a folded project, and go with their request', () => {
  const list = createGroups();
  list.mark(['int_3', 'int_1']);
  list.fold(true);
  expect(list.marked.map(({ id }) => id)).toEqual(['int_1', 'int_3']);
  list.remove('int_1');
  list.mark(['int_3']);
  expect(list.marked).toEqual([]);
});

test('a search finds every word in headline, place, title, asker and chat', () => {
  const list = createGroups();
  put(list, 'int_5', 5, { chatId: 'ops', askedBy: 'laptop' });
  list.search('WEBshop cart');
  expect(keysOf(list)).toEqual(['int_1', 'int_4', 'int_3']);
  list.search('ops laptop');
  expect(keysOf(list)).toEqual(['int_5']);
  list.search('database');
  expect(list.count).toBe(5);
});

test('what is hidden comes back by itself when its time is over', () => {
  let now = 1000;
  const list = new InboxList(() => now);
  put(list, 'int_a', 0);
  put(list, 'int_b', 1);
  list.hide(new Map([['int_a', 2000]]));
  expect([keysOf(list), list.hiddenCount]).toEqual([['int_b'], 1]);
  now = 2000;
  expect([keysOf(list), list.hiddenCount]).toEqual([['int_a', 'int_b'], 0]);
});

test('shown again, it is there once', () => {
  const list = createList();
  put(list, 'int_a', 0);
  expect(list.count).toBe(3);
});

test('the last three remarks are kept', () => {
  const list = createList();
  for (const text of ['1', '2', '3', '4']) list.notice({ text, style: 'dim' });
  expect(list.notices.map(({ text }) => text)).toEqual(['2', '3', '4']);
});
