import { describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { ROLES } from '../protocol/token.ts';
import { type Action, type Caller, checkAnswerOnly, mayDo, mayEnter, maySee, maySend } from './access.ts';

/** What each role may do, written out. */
const EXPECTED: Record<Action, { agent: boolean; person: boolean; admin: boolean }> = {
  ask: { agent: true, person: false, admin: true },
  read: { agent: true, person: true, admin: true },
  list: { agent: false, person: true, admin: true },
  answer: { agent: false, person: true, admin: true },
  say: { agent: false, person: true, admin: true },
  cancel: { agent: true, person: false, admin: true },
  note: { agent: true, person: true, admin: true },
  report: { agent: true, person: false, admin: true },
  follow: { agent: false, person: true, admin: true },
  'look back': { agent: false, person: true, admin: true },
  arrange: { agent: false, person: true, admin: true },
  'log in': { agent: false, person: true, admin: true },
  describe: { agent: true, person: true, admin: true },
  administer: { agent: false, person: false, admin: true },
};

const asked: Interaction = {
  id: 'int_1',
  chatId: 'team',
  kind: 'question',
  request: { question: 'Deploy?', options: [] },
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  askedBy: 'builder',
};

describe.each(ROLES)('the role %s', (role) => {
  test.each(Object.entries(EXPECTED))('may or may not %s', (action, allowed) => {
    expect(mayDo({ name: 'x', role }, action as Action)).toBe(allowed[role]);
    const withScope = mayDo({ name: 'x', role, chatId: 'team' }, action as Action);
    expect(withScope).toBe(allowed[role] && action !== 'administer');
  });

  test('enters every chat without a scope, and its own alone with one', () => {
    const caller: Caller = { name: 'x', role };
    expect(mayEnter(caller, 'team')).toBe(true);
    expect(mayEnter({ ...caller, chatId: 'team' }, 'team')).toBe(true);
    expect(mayEnter({ ...caller, chatId: 'team' }, 'Team')).toBe(false);
    expect(mayEnter({ ...caller, chatId: 'team' }, 'other')).toBe(false);
  });

  test('does not see what is outside of its scope, even its own', () => {
    expect(maySee({ name: 'builder', role, chatId: 'other' }, asked)).toBe(false);
    expect(maySee({ name: 'builder', role, chatId: 'team' }, asked)).toBe(true);
  });
});

test('an agent sees what it asked itself, and nothing that has no name on it', () => {
  expect(maySee({ name: 'builder', role: 'agent' }, asked)).toBe(true);
  expect(maySee({ name: 'reviewer', role: 'agent' }, asked)).toBe(false);
  const { askedBy: _, ...unnamed } = asked;
  expect(maySee({ name: 'builder', role: 'agent' }, unnamed)).toBe(false);
});

test('an agent is known by the id of its token where there is one: names can be reused', () => {
  const byId = { ...asked, askerId: 'old' };
  expect(maySee({ id: 'old', name: 'builder', role: 'agent' }, byId)).toBe(true);
  expect(maySee({ id: 'old', name: 'renamed', role: 'agent' }, byId)).toBe(true);
  expect(maySee({ id: 'new', name: 'builder', role: 'agent' }, byId)).toBe(false);
  expect(maySee({ name: 'builder', role: 'agent' }, byId)).toBe(false);
});

test.each([
  [{ decision: 'allow' }, true],
  [{ decision: 'allow', remember: false, updatedInput: undefined }, true],
  [{ decision: 'allow', remember: true }, false],
  [{ decision: 'allow', updatedInput: {} }, false],
  [{ decision: 'edit', editedPlan: '' }, false],
])('who may only answer sends %j: %s', (answer, isAllowed) => {
  const caller: Caller = { name: 'bo', role: 'person' };
  expect(maySend(caller, answer)).toBe(true);
  expect(maySend({ ...caller, answerOnly: true }, answer)).toBe(isAllowed);
});

test('only a person is let in for answering alone', () => {
  expect(() => checkAnswerOnly('person', true)).not.toThrow();
  expect(() => checkAnswerOnly('admin', false)).not.toThrow();
  for (const role of ['agent', 'admin'] as const) expect(() => checkAnswerOnly(role, true)).toThrow(`"${role}"`);
});

test('people and administrators see what anybody asked', () => {
  expect(maySee({ name: 'ana', role: 'person' }, asked)).toBe(true);
  expect(maySee({ name: 'root', role: 'admin' }, asked)).toBe(true);
});
