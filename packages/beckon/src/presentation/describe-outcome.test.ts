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
    ['Answered by ada in the terminal: SQLite', { ...by('terminal'), answer: { text: 'SQLite' } }],
    [
      'Answered by ada in Telegram: SQLite; for now',
      { ...by('telegram'), answer: { text: 'SQLite', notes: 'for now' } },
    ],
    ['Answered by the rule nights in the inbox: no', { ...by('inbox', 'nights', 'rule'), answer: { text: 'no' } }],
    ['Answered by ada on the command line: edit', { ...by('cli'), kind: 'plan_review', answer: { decision: 'edit' } }],
    [
      'Answered by ada over the API: adjust, shorter',
      { ...by('api'), kind: 'plan_review', answer: { decision: 'adjust', feedback: 'shorter' } },
    ],
    ['Answered by ada over the API: allow', { ...by('api'), kind: 'approval', answer: { decision: 'allow' } }],
    [
      'Answered by ada over the API: deny, not on a Friday',
      { ...by('api'), kind: 'approval', answer: { decision: 'deny', message: 'not on a Friday' } },
    ],
    [
      'Answered by ada over the API: {"name":"Ada"}',
      { ...by('api'), kind: 'form', answer: { values: { name: 'Ada' } } },
    ],
    ['Answered by ada over the API: click', { ...by('api'), kind: 'component', answer: { action: 'click' } }],
    ['Expired: nobody answered in time.', { status: 'expired' }],
    ['Cancelled.', { status: 'cancelled' }],
    ['Cancelled: not needed', { status: 'cancelled', reason: 'not needed' }],
    ['Settled elsewhere.', { status: 'superseded' }],
    ['Settled elsewhere: asked anew', { status: 'superseded', reason: 'asked anew' }],
  ])('is "%s"', (line, changes) => {
    expect(describeOutcome({ ...pending, ...changes } as Interaction)).toBe(line);
  });

  it.each<[string, object]>([
    ['Answered by a b[U+202E] via "[U+001B]": x y', { ...by('\u001b', 'a\nb\u202e'), answer: { text: 'x\ny' } }],
    ['Cancelled: a b[U+001B]', { status: 'cancelled', reason: 'a\nb\u001b' }],
    ['Settled elsewhere: a b[U+001B]', { status: 'superseded', reason: 'a\nb\u001b' }],
  ])('shows what people and agents wrote without obeying it: %s', (line, changes) => {
    expect(describeOutcome({ ...pending, ...changes } as Interaction)).toBe(line);
  });

  it('has no words for an answer that is not there, and does not fail', () => {
    for (const kind of ['question', 'plan_review', 'approval', 'form', 'component'])
      expect(describeOutcome({ ...pending, kind, status: 'answered' } as never)).toMatch(/^Answered by undefined:/);
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
