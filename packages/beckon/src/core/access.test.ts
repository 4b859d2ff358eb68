import { describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { ROLES } from '../protocol/token.ts';
import {
  type Action,
  type Caller,
  checkAnswerOnly,
  mayChangeRule,
  mayDo,
  mayEnter,
  mayRule,
  maySee,
  maySeeMachine,
  maySeeRule,
  maySend,
} from './access.ts';

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
  rule: { agent: false, person: true, admin: true },
  notify: { agent: false, person: true, admin: true },
  'log in': { agent: false, person: true, admin: true },
  'let in': { agent: false, person: true, admin: true },
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

describe('rules', () => {
  const person: Caller = { name: 'ada', role: 'person' };
  const teamPerson: Caller = { ...person, chatId: 'team' };
  const admin: Caller = { name: 'root', role: 'admin' };
  const teamAdmin: Caller = { ...admin, chatId: 'team' };
  const agent: Caller = { name: 'builder', role: 'agent' };
  const onlyAnswers: Caller = { ...person, answerOnly: true };

  test.each<[string, Caller, { chatId?: string; askedBy?: string }, boolean, string]>([
    ['an admin, for everybody', admin, {}, false, 'yes'],
    ['an admin, for one agent', admin, { askedBy: 'builder' }, false, 'yes'],
    ['a person, for everybody', person, {}, false, 'too wide'],
    ['a person, for a chat', person, { chatId: 'team' }, false, 'too wide'],
    ["a person, for somebody else's agent", person, { askedBy: 'reviewer' }, false, 'too wide'],
    ['a person, for their own agent', person, { askedBy: 'builder' }, true, 'yes'],
    ['whoever is limited to a chat, for that chat', teamPerson, { chatId: 'team' }, false, 'yes'],
    ['whoever is limited to a chat, for another one', teamPerson, { chatId: 'other' }, false, 'not in this chat'],
    ['whoever is limited to a chat, for all chats', teamPerson, {}, false, 'not in this chat'],
    [
      'whoever is limited to a chat, for their own agent anywhere',
      teamPerson,
      { askedBy: 'b' },
      true,
      'not in this chat',
    ],
    ['an admin who is limited to a chat, for that chat', teamAdmin, { chatId: 'team' }, false, 'yes'],
    ['an admin who is limited to a chat, for all chats', teamAdmin, {}, false, 'not in this chat'],
    ['an agent', agent, { askedBy: 'builder' }, true, 'never'],
    ['somebody who only answers', onlyAnswers, { askedBy: 'builder' }, true, 'never'],
    ['somebody who only answers, in their chat', { ...onlyAnswers, chatId: 'team' }, { chatId: 'team' }, true, 'never'],
  ])('made by %s', (_, caller, scope, isOwner, right) => {
    expect(mayRule(caller, scope, isOwner)).toBe(right);
  });

  test.each<[string, Caller, { createdBy: string; scope: { chatId?: string } }, { sees: boolean; changes: boolean }]>([
    ['an admin', admin, { createdBy: 'ada', scope: {} }, { sees: true, changes: true }],
    ['its author', person, { createdBy: 'ada', scope: {} }, { sees: true, changes: true }],
    ['another person', person, { createdBy: 'bob', scope: {} }, { sees: true, changes: false }],
    ['its author who only answers', onlyAnswers, { createdBy: 'ada', scope: {} }, { sees: true, changes: false }],
    [
      'an agent of that name',
      { ...agent, name: 'ada' },
      { createdBy: 'ada', scope: {} },
      { sees: false, changes: false },
    ],
    [
      'its author in the chat',
      teamPerson,
      { createdBy: 'ada', scope: { chatId: 'team' } },
      { sees: true, changes: true },
    ],
    [
      'its author in another chat',
      teamPerson,
      { createdBy: 'ada', scope: { chatId: 'x' } },
      { sees: false, changes: false },
    ],
    ['its author, of all chats', teamPerson, { createdBy: 'ada', scope: {} }, { sees: false, changes: false }],
    ['an admin in the chat', teamAdmin, { createdBy: 'ada', scope: { chatId: 'team' } }, { sees: true, changes: true }],
    ['an admin in another chat', teamAdmin, { createdBy: 'ada', scope: {} }, { sees: false, changes: false }],
  ])('seen and changed by %s', (_, caller, rule, expected) => {
    expect({ sees: maySeeRule(caller, rule), changes: mayChangeRule(caller, rule) }).toEqual(expected);
  });

  test('a caller that only answers may do everything else that its role may', () => {
    for (const action of Object.keys(EXPECTED) as Action[]) {
      expect(mayDo(onlyAnswers, action)).toBe(EXPECTED[action].person && action !== 'rule');
    }
  });
});

describe('a machine', () => {
  const [mine, others] = [{ owner: 'ada' }, { owner: 'bo' }];
  const inTeam = { owner: 'ada', chatId: 'team' };
  const ada: Caller = { name: 'ada', role: 'person' };

  test.each<[string, Caller, { owner: string; chatId?: string }, boolean]>([
    ['its owner', ada, mine, true],
    ['its owner, even if it is limited to a chat', ada, inTeam, true],
    ['its owner who only answers', { ...ada, answerOnly: true }, mine, true],
    ['somebody else', ada, others, false],
    ['an admin', { name: 'root', role: 'admin' }, others, true],
    ['its owner in its chat', { ...ada, chatId: 'team' }, inTeam, true],
    ['its owner in another chat', { ...ada, chatId: 'other' }, inTeam, false],
    ['its owner in a chat, while it is in all', { ...ada, chatId: 'team' }, mine, false],
    ['an admin of a chat', { name: 'root', role: 'admin', chatId: 'team' }, inTeam, false],
    ['an agent with the name of its owner', { name: 'ada', role: 'agent' }, mine, false],
  ])('is seen by %s: %o %o %s', (_, caller, machine, isSeen) => {
    expect(maySeeMachine(caller, machine)).toBe(isSeen);
  });
});
