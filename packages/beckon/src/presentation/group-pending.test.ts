import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { RiskLevel } from '../protocol/risk.ts';
import { groupPending, toEntriesInOrder } from './group-pending.ts';

function ask(id: string, second: number, more: Partial<Interaction> = {}): Interaction {
  return {
    id,
    chatId: 'default',
    status: 'pending',
    awaitingFeedback: false,
    createdAt: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    kind: 'approval',
    request: { tool: 'Bash', input: {} },
    askedBy: 'laptop',
    ...more,
  } as Interaction;
}

const SHOP = { project: 'webshop', branch: 'main', title: 'Convert the cart' };

test('requests are by project and branch, then by session, and what waits longest comes first', () => {
  const grouped = groupPending([
    ask('d', 4, { sessionId: 's1', context: SHOP }),
    ask('c', 3, { sessionId: 's2', context: { ...SHOP, title: 'Add a test' } }),
    ask('b', 2, { context: { project: 'api' } }),
    ask('a', 1, { sessionId: 's1', context: SHOP }),
    ask('e', 5, { context: { ...SHOP, branch: 'next' } }),
  ]);
  expect(grouped.map(({ name, branch, count }) => [name, branch, count])).toEqual([
    ['webshop', 'main', 3],
    ['api', undefined, 1],
    ['webshop', 'next', 1],
  ]);
  expect(grouped[0]?.sessions.map(({ sessionId, title }) => [sessionId, title])).toEqual([
    ['s1', 'Convert the cart'],
    ['s2', 'Add a test'],
  ]);
  expect(toEntriesInOrder(grouped).map(({ interaction }) => interaction.id)).toEqual(['a', 'd', 'c', 'b', 'e']);
});

test('a title that somebody gave to a session replaces that of the agent', () => {
  const [project] = groupPending([ask('a', 1, { sessionId: 's1', context: SHOP })], {
    titles: new Map([['s1', 'Currency']]),
  });
  expect(project?.sessions[0]?.title).toBe('Currency');
});

test('the questions of one call are one entry, in the order of their steps', () => {
  const step = (id: string, number: number, more: Partial<Interaction> = {}): Interaction =>
    ask(id, 1, {
      kind: 'question',
      groupId: 'g',
      metadata: { step: number, steps: 3 },
      ...more,
    } as Partial<Interaction>);
  const [project] = groupPending([
    step('z', 1),
    step('a', 3),
    step('m', 2),
    step('other chat', 1, { chatId: 'ops' }),
    step('hidden', 2, { askerId: 'tok_2' }),
    ask('alone', 1, { groupId: 'g' }),
    ask('another', 1),
  ]);
  expect(project?.count).toBe(5);
  expect(project?.sessions[0]?.entries.map(({ steps }) => steps.map(({ id }) => id))).toContainEqual(['z', 'm', 'a']);
});

test('without a project the asker is the group, and no agent can put itself into it by a claim', () => {
  const grouped = groupPending([ask('a', 1), ask('b', 2, { context: { project: 'laptop' } })]);
  expect(grouped.map(({ name, count }) => [name, count])).toEqual([
    ['laptop', 1],
    ['laptop', 1],
  ]);
});

test('the gravest risk comes first in a session, then what has waited longest', () => {
  const levels: Record<string, RiskLevel> = { a: 'routine', b: 'dangerous', c: 'notable', d: 'dangerous' };
  const items = ['a', 'b', 'c', 'd'].map((id, index) => ask(id, index, { sessionId: 's1', context: SHOP }));
  const grouped = groupPending(items, { riskOf: ({ id }) => levels[id] ?? 'routine' });
  expect(toEntriesInOrder(grouped).map(({ interaction }) => interaction.id)).toEqual(['b', 'd', 'c', 'a']);
});
