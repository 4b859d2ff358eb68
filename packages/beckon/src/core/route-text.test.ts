import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interaction, Kind } from '../protocol/interaction.ts';
import { checkAnswer } from './check-answer.ts';
import { pickTextTarget, toTextAnswer } from './route-text.ts';

const pending = {
  id: 'int_1',
  chatId: 'default',
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

const ASKED: { [K in Kind]: Interaction } = {
  question: { ...pending, kind: 'question', request: { question: 'Which?', options: [{ label: 'SQLite' }] } },
  plan_review: { ...pending, kind: 'plan_review', request: { plan: '# Plan', toolInput: {} } },
  approval: { ...pending, kind: 'approval', request: { tool: 'Bash', input: {} } },
  form: { ...pending, kind: 'form', request: { message: 'Fill in', schema: {} } },
  component: { ...pending, kind: 'component', request: { components: [] } },
};
const { question, plan_review: plan, approval, form, component } = ASKED;
const awaiting: Interaction = { ...plan, awaitingFeedback: true };

describe('a text typed in a chat is meant for', () => {
  it.each<[string, Interaction[], Interaction | null]>([
    ['nothing where nothing is pending', [], null],
    ['the only question', [question], question],
    ['the only plan', [plan], plan],
    ['the only approval', [approval], approval],
    ['nothing where only a form is pending', [form], null],
    ['nothing where only a component is pending', [component], null],
    ['the one that can take a text, among those that cannot', [form, question, component], question],
    ['nobody where two can take it', [question, approval], null],
    ['nobody where three can take it', [question, plan, approval], null],
    ['the plan whose feedback was asked for, before anything else', [question, awaiting, approval], awaiting],
    ['nobody where two await feedback', [awaiting, { ...awaiting, id: 'int_2' }], null],
  ])('%s', (_, interactions, target) => {
    expect(pickTextTarget(interactions)).toBe(target);
  });
});

describe('a text becomes', () => {
  it.each<[string, Interaction, string, object | null]>([
    ['the answer to a question, as it was typed', question, ' sqlite\n', { text: ' sqlite\n' }],
    ['a decision about a plan, if it is a word for one', plan, ' Yes ', { decision: 'clean_edit' }],
    ['an "adjust", if it is a no to a plan', plan, 'no', { decision: 'adjust' }],
    ['a rejection of a plan', plan, 'reject', { decision: 'reject' }],
    ['feedback to a plan otherwise', plan, 'Use SQL', { decision: 'adjust', feedback: 'Use SQL' }],
    [
      'feedback even if it is a word, once feedback was asked for',
      awaiting,
      'yes',
      { decision: 'adjust', feedback: 'yes' },
    ],
    ['consent, only if it is a plain yes', approval, 'OK', { decision: 'allow' }],
    ['a denial, if it is a plain no', approval, 'no', { decision: 'deny' }],
    ['a denial with a reason otherwise', approval, 'yes, but later', { decision: 'deny', message: 'yes, but later' }],
    ['nothing for a form', form, 'Ana', null],
    ['nothing for a component', component, 'click', null],
  ])('%s', (_, interaction, text, answer) => {
    expect(toTextAnswer(interaction, text)).toStrictEqual(answer);
  });

  it.each(Object.values(ASKED))('nothing for a $kind where it is blank', (interaction) => {
    expect(toTextAnswer(interaction, '')).toBeNull();
    expect(toTextAnswer(interaction, ' \n\t')).toBeNull();
  });

  it('an answer that fits its interaction, whatever was typed', () => {
    fc.assert(
      fc.property(fc.constantFrom(question, plan, awaiting, approval), fc.string(), (interaction, text) => {
        fc.pre(text.trim() !== '');
        expect(() => checkAnswer(interaction, toTextAnswer(interaction, text), () => [])).not.toThrow();
      }),
    );
  });
});
