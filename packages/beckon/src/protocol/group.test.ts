import { expect, test } from 'vitest';
import { AnswerEntries, AskGroup, Ids } from './group.ts';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';

const ASK = { kind: 'question', request: { question: 'Which?' } };
const isRead = (schema: Parameters<typeof parse>[0], input: unknown): boolean => {
  try {
    parse(schema, input, { what: 'group' });
    return true;
  } catch {
    return false;
  }
};

test.each<[string, unknown[], boolean]>([
  ['one ask', [ASK], true],
  ['asks of one group', [{ ...ASK, groupId: 'g' }, ASK], true],
  ['no ask', [], false],
  [
    'asks of two groups',
    [
      { ...ASK, groupId: 'g' },
      { ...ASK, groupId: 'h' },
    ],
    false,
  ],
  [
    'the same id twice',
    [
      { ...ASK, id: 'a' },
      { ...ASK, id: 'a' },
    ],
    false,
  ],
  [
    'the same key twice',
    [
      { ...ASK, idempotencyKey: 'a' },
      { ...ASK, idempotencyKey: 'a' },
    ],
    false,
  ],
  ['as many as fit', Array.from({ length: LIMITS.groupSteps }, () => ASK), true],
  ['one more', Array.from({ length: LIMITS.groupSteps + 1 }, () => ASK), false],
])('a group of %s', (_, asks, isFine) => {
  expect(isRead(AskGroup, asks)).toBe(isFine);
});

test.each<[string, string[], boolean]>([
  ['one id', ['a'], true],
  ['none', [], false],
  ['the same twice', ['a', 'a'], false],
  ['too many', Array.from({ length: LIMITS.pageItems + 1 }, (_, index) => `${index}`), false],
])('ids: %s', (_, ids, isFine) => {
  expect(isRead(Ids, ids)).toBe(isFine);
  const answers = ids.slice(0, LIMITS.groupSteps + 1).map((id) => ({ id, answer: { text: 'x' } }));
  expect(isRead(AnswerEntries, answers)).toBe(isFine);
});
