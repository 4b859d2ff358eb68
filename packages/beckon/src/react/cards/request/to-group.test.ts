import { expect, test } from 'vitest';
import type { Interaction } from '../../../protocol/index.ts';
import { toGroup, toTabs } from './to-group.ts';

const first = ask('a', 1);
const second = ask('b', 2);

test('the questions of one call are in the order of their steps, and each is there once', () => {
  const settled = { ...first, status: 'answered' } as Interaction;
  expect(toGroup(settled, [second, first])).toEqual([settled, second]);
});

test('what somebody else asks under the same id of a group is not among them', () => {
  const foreign = ask('c', 2, { askedBy: 'other' });
  const elsewhere = ask('d', 2, { chatId: 'other' });
  expect(toGroup(first, [second, foreign, elsewhere])).toEqual([first, second]);
});

test('a request without a step stands alone', () => {
  const alone = ask('e', 1, { metadata: undefined });
  expect(toGroup(alone, [first, second])).toEqual([alone]);
  expect(toTabs(alone, [alone])).toBeNull();
});

test('only questions are answered together, and no more than fit', () => {
  expect(toTabs(first, [first, second])).toEqual({ groupId: 'g', questions: [first, second] });
  expect(toTabs(first, [first, ask('f', 2, { kind: 'approval' })])).toBeNull();
  const many = Array.from({ length: 21 }, (_, index) => ask(`m${index}`, index + 1));
  expect(toTabs(first, many)).toBeNull();
});

function ask(id: string, step: number, more: object = {}): Interaction {
  return {
    id,
    kind: 'question',
    status: 'pending',
    chatId: 'default',
    groupId: 'g',
    askedBy: 'laptop',
    createdAt: '2026-01-01T00:00:00.000Z',
    metadata: { step, steps: 30 },
    request: { question: 'Go on?', options: [] },
    ...more,
  } as unknown as Interaction;
}
