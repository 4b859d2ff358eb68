import { describe, expect, it } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { describeOutcome, describeStep } from './describe-outcome.ts';

const pending: Interaction = {
  id: 'int_1',
  chatId: 'default',
  kind: 'question',
  request: { question: 'Which?', options: [] },
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const by = (via: string, who = 'ada', kind = 'person'): object => ({
  status: 'answered',
  answeredBy: { who, via, kind },
});

describe('an outcome in one line', () => {
  it.each<[string, object]>([
    ['It waits for an answer.', {}],
    ['Answered in the terminal by ada: SQLite', { ...by('terminal'), answer: { text: 'SQLite' } }],
    [
      'Answered in Telegram by ada: SQLite; for now',
      { ...by('telegram'), answer: { text: 'SQLite', notes: 'for now' } },
    ],
    ['Answered in the inbox by the rule nights: no', { ...by('inbox', 'nights', 'rule'), answer: { text: 'no' } }],
    ['Answered on the command line by ada: edit', { ...by('cli'), kind: 'plan_review', answer: { decision: 'edit' } }],
    [
      'Answered via api by ada: adjust, shorter',
      { ...by('api'), kind: 'plan_review', answer: { decision: 'adjust', feedback: 'shorter' } },
    ],
    ['Answered via api by ada: allow', { ...by('api'), kind: 'approval', answer: { decision: 'allow' } }],
    [
      'Answered via api by ada: deny, not on a Friday',
      { ...by('api'), kind: 'approval', answer: { decision: 'deny', message: 'not on a Friday' } },
    ],
    ['Answered via api by ada: {"name":"Ada"}', { ...by('api'), kind: 'form', answer: { values: { name: 'Ada' } } }],
    ['Answered via api by ada: click', { ...by('api'), kind: 'component', answer: { action: 'click' } }],
    ['Expired: nobody answered in time.', { status: 'expired' }],
    ['Cancelled.', { status: 'cancelled' }],
    ['Cancelled: not needed', { status: 'cancelled', reason: 'not needed' }],
    ['Settled elsewhere.', { status: 'superseded' }],
    ['Settled elsewhere: asked anew', { status: 'superseded', reason: 'asked anew' }],
  ])('is "%s"', (line, changes) => {
    expect(describeOutcome({ ...pending, ...changes } as Interaction)).toBe(line);
  });

  it.each<[string, object]>([
    ['Answered via \\x1b by a b\\u202e: x y', { ...by('\u001b', 'a\nb\u202e'), answer: { text: 'x\ny' } }],
    ['Cancelled: a b\\x1b', { status: 'cancelled', reason: 'a\nb\u001b' }],
    ['Settled elsewhere: a b\\x1b', { status: 'superseded', reason: 'a\nb\u001b' }],
  ])('shows what people and agents wrote without obeying it: %s', (line, changes) => {
    expect(describeOutcome({ ...pending, ...changes } as Interaction)).toBe(line);
  });

  it('has no words for an answer that is not there, and does not fail', () => {
    for (const kind of ['question', 'plan_review', 'approval', 'form', 'component'])
      expect(describeOutcome({ ...pending, kind, status: 'answered' } as never)).toMatch(/^Answered via undefined by/);
  });
});

describe('the place of a question among several', () => {
  it.each<[string, object | undefined]>([
    ['2 of 3', { step: 2, steps: 3 }],
    ['1 of 2', { step: 1, steps: 2, more: true }],
    ['', { step: 1, steps: 1 }],
    ['', { step: 0, steps: 3 }],
    ['', { step: '2', steps: 3 }],
    ['', { step: 2, steps: '\u001b' }],
    ['', { step: 1.5, steps: 3 }],
    ['', {}],
    ['', undefined],
  ])('is "%s" for %j', (text, metadata) => {
    expect(describeStep({ ...pending, metadata } as Interaction)).toBe(text);
  });
});
