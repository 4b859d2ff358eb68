import type { AnsweredBy, Interaction } from 'beckon/protocol';
import { expect, test } from 'vitest';
import { describeOutcome } from './describe-outcome.ts';

const ADA: AnsweredBy = { who: 'ada', via: 'inbox', kind: 'person' };

test.each<[string, AnsweredBy | undefined]>([
  ['Answered by ada in the inbox (you)', ADA],
  ['Answered by bob in Telegram', { ...ADA, who: 'bob', via: 'telegram' }],
  ['Answered by laptop in the terminal (says: ada)', { ...ADA, who: 'laptop', via: 'terminal', claim: { who: 'ada' } }],
  ['Answered by the rule ada in the inbox', { ...ADA, kind: 'rule' }],
  ['Answered', undefined],
])('"%s"', (line, answeredBy) => {
  const interaction = { status: 'answered', answeredBy } as Interaction;
  expect(describeOutcome(interaction, 'ada')).toBe(line);
});

test('nobody answered', () => {
  const lines = (['pending', 'expired', 'cancelled', 'superseded'] as const).map((status) =>
    describeOutcome({ status } as Interaction, 'ada'),
  );
  expect(lines).toEqual(['Pending', 'Nobody answered in time', 'Cancelled', 'Ended elsewhere']);
});
