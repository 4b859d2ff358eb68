import { expect, test } from 'vitest';
import type { Answer } from '../protocol/answers.ts';
import type { AnsweredBy, Interaction, InteractionOf } from '../protocol/interaction.ts';
import { checkButton } from './answer-by-button.ts';

const approval: InteractionOf<'approval'> = {
  id: 'int_1',
  chatId: 'default',
  kind: 'approval',
  request: { tool: 'Bash', input: { command: 'npm test' } },
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-11-17T10:00:00.000Z',
};
const pressed: AnsweredBy = { who: 'ada', via: 'notification', kind: 'person' };
const always = (): boolean => true;
const never = (): boolean => false;

test.each<[string, Interaction, Answer]>([
  ['allows what one tap may decide', approval, { decision: 'allow' }],
  ['denies it', approval, { decision: 'deny' }],
])('a button %s', (_, interaction, answer) => {
  expect(() => checkButton(interaction, answer, pressed, always)).not.toThrow();
});

test.each<[string, Interaction, Answer, AnsweredBy, () => boolean]>([
  ['what must be seen in full', approval, { decision: 'allow' }, pressed, never],
  ['a denial of it', approval, { decision: 'deny' }, pressed, never],
  ['rules for the future', approval, { decision: 'allow', remember: true }, pressed, always],
  ['another input', approval, { decision: 'allow', updatedInput: { command: 'x' } }, pressed, always],
  ['a reason', approval, { decision: 'deny', message: 'no' }, pressed, always],
  [
    'a question',
    { ...approval, kind: 'question', request: { question: 'Which?', options: [] } } as Interaction,
    { text: 'yes' },
    pressed,
    always,
  ],
  [
    'what must be seen in full, if the place is only claimed',
    approval,
    { decision: 'allow' },
    { ...pressed, via: 'api', claim: { via: 'notification' } },
    never,
  ],
])('a button never decides %s', (_, interaction, answer, by, isOneTap) => {
  expect(() => checkButton(interaction, answer, by, isOneTap)).toThrow(
    expect.objectContaining({ code: 'must_be_opened' }),
  );
});

test('an answer from anywhere else is not looked at', () => {
  const inbox = { ...pressed, via: 'inbox', claim: { who: 'bob' } };
  expect(() => checkButton(approval, { decision: 'allow', remember: true }, inbox, never)).not.toThrow();
});

test('whoever presses too late hears how it ended', () => {
  const ended: Interaction = { ...approval, status: 'cancelled' };
  expect(() => checkButton(ended, { decision: 'allow' }, pressed, never)).not.toThrow();
});
