import { describe, expect, it } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { describeEnding, describeOutcome } from './describe-outcome.ts';

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
    ['Waiting for an answer.', {}],
    ['Answered by ada in the terminal: SQLite', { ...by('terminal'), answer: { text: 'SQLite' } }],
    ['Answered by the rule nights in the inbox: no', { ...by('inbox', 'nights', 'rule'), answer: { text: 'no' } }],
    [
      'Accepted by ada on the command line.',
      { ...by('cli'), kind: 'plan_review', answer: { decision: 'edit' }, metadata: { agent: 'claude-code' } },
    ],
    [
      'Denied by ada over the API: not on a Friday',
      { ...by('api'), kind: 'approval', answer: { decision: 'deny', message: 'not on a Friday' } },
    ],
    [
      'Allowed by a rule of ada.',
      { ...by('rule:rul_1', 'ada', 'rule'), kind: 'approval', answer: { decision: 'allow' } },
    ],
    ['Allowed by ada over the API.', { ...by('api'), kind: 'approval', answer: { decision: 'allow' } }],
    [
      'Sent back by ada over the API: shorter',
      { ...by('api'), kind: 'plan_review', answer: { decision: 'adjust', feedback: 'shorter' } },
    ],
    ['Answered by ada over the API.', { ...by('api'), answer: { text: '' } }],
    ['Answered.', { status: 'answered' }],
    ['Expired: nobody answered in time.', { status: 'expired' }],
    ['Cancelled.', { status: 'cancelled' }],
    ['Cancelled: not needed', { status: 'cancelled', reason: 'not needed' }],
    ['Ended elsewhere.', { status: 'superseded', reason: '' }],
    ['Ended elsewhere: asked again', { status: 'superseded', reason: 'asked again' }],
  ])('is "%s"', (line, changes) => {
    expect(describeOutcome({ ...pending, ...changes } as Interaction)).toBe(line);
  });

  it.each<[string, object]>([
    ['Answered by a b[U+202E] via "[U+001B]": x y', { ...by('\u001b', 'a\nb\u202e'), answer: { text: 'x\ny' } }],
    ['Cancelled: a b[U+001B]', { status: 'cancelled', reason: 'a\nb\u001b' }],
    ['Ended elsewhere: a b[U+001B]', { status: 'superseded', reason: 'a\nb\u001b' }],
  ])('shows what people and agents wrote without obeying it: %s', (line, changes) => {
    expect(describeOutcome({ ...pending, ...changes } as Interaction)).toBe(line);
  });
});

describe('an ending', () => {
  it.each<[string, object]>([
    ['Answered by ada in the inbox (you)', by('inbox')],
    ['Answered by ada in a notification (you)', by('notification')],
    ['Answered by bob in Telegram', by('telegram', 'bob')],
    ['Answered by the rule ada in the inbox', by('inbox', 'ada', 'rule')],
    ['Answered by a rule of ada', by('rule:rul_1', 'ada', 'rule')],
    ['Cancelled', { status: 'cancelled', reason: 'not needed' }],
  ])('is "%s" for ada', (line, changes) => {
    expect(describeEnding({ ...pending, ...changes } as Interaction, 'ada')).toBe(line);
  });

  it('calls nobody "you" without a reader', () => {
    expect(describeEnding({ ...pending, ...by('inbox') } as Interaction)).toBe('Answered by ada in the inbox');
  });
});
