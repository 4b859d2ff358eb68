import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { RuleDraft } from '../protocol/rule.ts';
import { answer, askToRun } from '../testing/harness/approvals.ts';
import { previewRule, previewRules } from './preview.ts';

const npmTest: RuleDraft = {
  effect: 'allow',
  tool: 'Bash',
  match: { commands: [{ words: ['npm', 'test'], rest: 'any' }] },
};
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const asked = (minute: number, command: string): ReturnType<typeof askToRun> =>
  askToRun(command, { id: `int_${minute}`, createdAt: at(minute) });
const question = { ...asked(0, ''), kind: 'question', request: { question: 'Why?', options: [] } } as Interaction;

const items: Interaction[] = [
  asked(9, 'npm test'),
  answer(asked(8, 'npm test -- --watch'), 'deny', { answeredBy: { who: 'bo', via: 'inbox', kind: 'person' } }),
  answer(asked(7, 'npm test'), 'allow', { answeredBy: { who: 'ada', via: 'rule:rul_1', kind: 'rule' } }),
  question,
  answer(asked(6, 'git push'), 'deny'),
  answer(asked(5, 'npm test -- a'), 'allow'),
  answer(asked(4, 'npm test'), 'deny', { answeredBy: { who: 'ada', via: 'rule:rul_2', kind: 'rule' } }),
];

test('says how many a rule would have decided, what became of them, and which', () => {
  const preview = previewRule(npmTest, items);
  expect(preview).toMatchObject({ checked: 6, since: at(4), matched: 5, dangerous: 0 });
  expect(preview.byDecision).toEqual([
    { decision: 'pending', count: 1 },
    { decision: 'allowed', count: 2 },
    { decision: 'denied', count: 2 },
  ]);
  expect(preview.items.map(({ id }) => id)).toEqual(['int_9', 'int_8', 'int_7', 'int_5', 'int_4']);
  expect(preview.items[1]).toEqual({
    id: 'int_8',
    at: at(8),
    headline: 'npm test -- --watch',
    decision: 'denied',
    by: 'bo',
    example: 'npm test -- --watch',
  });
});

test('a contradiction is what a person decided otherwise, not what a rule did', () => {
  const ids = (effect: RuleDraft['effect']): string[] =>
    previewRule({ ...npmTest, effect }, items).contradictions.map(({ id }) => id);
  expect(ids('allow')).toEqual(['int_8']);
  expect(ids('deny')).toEqual(['int_5']);
  expect(ids('ask')).toEqual([]);
});

test('an example that a rule leaves alone is no longer decided by it', () => {
  const preview = previewRule({ ...npmTest, examples: { match: [], notMatch: ['npm test -- --watch'] } }, items);
  expect(preview).toMatchObject({ matched: 4, contradictions: [] });
});

test('until when it counts and whether it is in watch make no difference', () => {
  const ended = { ...npmTest, until: '2020-01-01T00:00:00Z', mode: 'watch' as const };
  expect(previewRule(ended, items)).toEqual(previewRule(npmTest, items));
});

test('several rules at once are the same as one by one; without a history there is nothing to count', () => {
  const rules: RuleDraft[] = [
    npmTest,
    { effect: 'deny', tool: '*' },
    { effect: 'ask', tool: 'Bash', scope: { askedBy: 'ci' } },
  ];
  expect(previewRules(rules, items)).toEqual(rules.map((rule) => previewRule(rule, items)));
  expect(previewRules(rules, items).map(({ matched }) => matched)).toEqual([5, 6, 0]);
  expect(previewRule(npmTest, [])).toEqual({
    checked: 0,
    matched: 0,
    byDecision: [],
    items: [],
    contradictions: [],
    dangerous: 0,
  });
});

test('it names the newest twenty and at most a hundred contradictions, and counts all', () => {
  const many = Array.from({ length: 150 }, (_, index) => answer(asked(200 - index, 'npm test'), 'deny'));
  const preview = previewRule(npmTest, many);
  expect(preview.matched).toBe(150);
  expect(preview.items).toHaveLength(20);
  expect(preview.items[0]?.id).toBe('int_200');
  expect(preview.contradictions).toHaveLength(100);
});

test('what is dangerous is counted apart: no rule allows it, but rules deny it', () => {
  const pushes = [askToRun('git push --force origin main'), askToRun('git push origin main')];
  const push: RuleDraft = {
    effect: 'allow',
    tool: 'Bash',
    match: { commands: ['--force', 'origin'].map((word) => ({ words: ['git', 'push', word], rest: 'any' as const })) },
  };
  expect(previewRule(push, pushes)).toMatchObject({ checked: 2, matched: 1, dangerous: 1 });
  expect(previewRule({ ...push, effect: 'deny' }, pushes)).toMatchObject({ matched: 2, dangerous: 0 });
});
