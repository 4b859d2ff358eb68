import type { RulePreview } from 'beckon/client';
import { expect, test } from 'vitest';
import { describePreview } from './describe-preview.ts';

const NOTHING: RulePreview = { checked: 200, matched: 0, byDecision: [], items: [], contradictions: [], dangerous: 0 };

test.each([
  ['no history', { checked: 0 }, 'There are no earlier requests to compare it with'],
  [
    'nothing but the request itself',
    { checked: 1, matched: 1, byDecision: [{ decision: 'pending', count: 1 }] },
    'There are no earlier requests to compare it with',
  ],
  [
    'the request itself among others',
    {
      matched: 4,
      byDecision: [
        { decision: 'pending', count: 1 },
        { decision: 'allowed', count: 3 },
      ],
    },
    'Would have decided 3 of the last 199; all were allowed',
  ],
  ['no match', {}, 'Would have decided none of the last 200'],
  [
    'one decision',
    { matched: 14, byDecision: [{ decision: 'allowed', count: 14 }] },
    'Would have decided 14 of the last 200; all were allowed',
  ],
  [
    'one request',
    { matched: 1, byDecision: [{ decision: 'denied', count: 1 }] },
    'Would have decided 1 of the last 200; it was denied',
  ],
  [
    'two requests',
    { matched: 2, byDecision: [{ decision: 'ended_elsewhere', count: 2 }] },
    'Would have decided 2 of the last 200; both were ended elsewhere',
  ],
  [
    'several decisions, and dangerous ones',
    {
      matched: 14,
      byDecision: [
        { decision: 'allowed', count: 12 },
        { decision: 'denied', count: 2 },
        { decision: 'expired', count: 0 },
      ],
      dangerous: 3,
    },
    'Would have decided 14 of the last 200; 12 allowed, 2 denied; 3 more are dangerous, so you are still asked',
  ],
  [
    'only dangerous ones',
    { dangerous: 1 },
    'Would have decided none of the last 200; one more is dangerous, so you are still asked',
  ],
] satisfies [string, Partial<RulePreview>, string][])('a preview in a line: %s', (_, preview, line) => {
  expect(describePreview({ ...NOTHING, ...preview })).toBe(line);
});
