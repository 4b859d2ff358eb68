import { describe, expect, it } from 'vitest';
import type { Answer } from '../protocol/answers.ts';
import type { FieldProblem } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { checkAnswer } from './check-answer.ts';

const pending = {
  id: 'int_1',
  chatId: 'default',
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

const question = {
  question: 'Which store?',
  options: [{ label: 'SQLite' }, { label: 'Postgres' }, { label: 'postgres' }, { label: 'Both ' }],
};
const SQLITE = { text: 'SQLite', selected: ['SQLite'] };
const BOTH = { text: 'Both ', selected: ['Both '] };
const TWO = { text: 'Postgres, SQLite', selected: ['Postgres', 'SQLite'] };

describe('what the agent cannot do is refused, so nobody believes that it arrived', () => {
  const fixed = toQuestion({ ...question, abilities: { ownWords: false, notes: false } });
  const severalFixed = toQuestion({ ...question, multiSelect: true, abilities: { ownWords: false } });
  const keeping = toPlan({ decisions: ['edit', 'default', 'adjust'] });
  const deaf = toPlan({ feedback: false, editPlan: false });
  const plain: Interaction = {
    ...pending,
    kind: 'approval',
    request: {
      tool: 'Bash',
      input: { command: 'ls' },
      abilities: { denyText: false, editInput: false, remember: false },
    },
  };
  const comments = [{ quote: 'Plan', line: 1, comment: 'Which?' }];

  it.each<[string, Interaction, object, Answer]>([
    ['an option, typed', fixed, { text: ' sqlite' }, { text: 'SQLite', selected: ['SQLite'] }],
    ['an option, chosen, with blank notes', fixed, { selected: ['SQLite'], notes: '' }, { ...SQLITE, notes: '' }],
    ['several options, typed', severalFixed, { text: 'Postgres, sqlite,' }, TWO],
    ['an answer as it is kept', severalFixed, TWO, TWO],
    ['notes, where only own words are refused', severalFixed, { text: 'BOTH', notes: 'x' }, { ...BOTH, notes: 'x' }],
    ['a typed yes, as the nearest decision', keeping, { decision: 'yes' }, { decision: 'edit' }],
    ['a clear context, as the nearest decision', keeping, { decision: 'clean_edit' }, { decision: 'edit' }],
    ['a decision that the agent has', keeping, { decision: 'default' }, { decision: 'default' }],
    ['"adjust" without feedback, at once', deaf, { decision: 'adjust' }, { decision: 'adjust' }],
    ['"no" with blank feedback, at once', deaf, { decision: 'no', feedback: ' ' }, { decision: 'adjust' }],
    ['a plain "allow"', plain, { decision: 'allow' }, { decision: 'allow' }],
    ['a plain "deny"', plain, { decision: 'deny', message: ' ' }, { decision: 'deny', message: ' ' }],
    ['"remember: false"', plain, { decision: 'allow', remember: false }, { decision: 'allow', remember: false }],
  ])('takes %s', (_, interaction, input, answer) => {
    expect(check(interaction, input)).toStrictEqual({ answer, needsFeedback: false });
  });

  it.each<[string, Interaction, object, FieldProblem]>([
    ['own words', fixed, { text: 'A file' }, noWords('text', '"A file" (text)')],
    ['own words as a choice', fixed, { selected: ['Oracle'] }, noWords('selected', '"Oracle" (text)')],
    ['own words beside a choice', fixed, { selected: ['SQLite'], text: 'or not' }, noWords('text', '"or not" (text)')],
    ['an unknown one of several', severalFixed, { text: 'SQLite, Oracle' }, noWords('text', '" Oracle" (text)')],
    [
      'notes',
      fixed,
      { text: 'SQLite', notes: 'for now' },
      { path: 'notes', expected: 'no notes, because this agent cannot read notes', received: '"for now" (text)' },
    ],
    [
      'feedback on a plan',
      deaf,
      { decision: 'adjust', feedback: 'smaller' },
      {
        path: 'feedback',
        expected: 'no feedback, because this agent cannot read what should change in a plan',
        received: '"smaller" (text)',
      },
    ],
    [
      'comments on a plan',
      deaf,
      { comments },
      {
        path: 'comments',
        expected: 'no comments, because this agent cannot read what should change in a plan',
        received: 'an array of 1',
      },
    ],
    [
      'an edited plan',
      deaf,
      { decision: 'yes', editedPlan: '# B' },
      {
        path: 'editedPlan',
        expected: 'no editedPlan, because this agent cannot work from a plan that was edited',
        received: '"# B" (text)',
      },
    ],
    [
      'a decision that would allow more than the person did',
      toPlan({ decisions: ['edit', 'adjust'] }),
      { decision: 'default' },
      {
        path: 'decision',
        expected: 'one of edit, adjust, because this agent can do nothing else',
        received: '"default" (text)',
      },
    ],
    [
      'feedback, where no plan can be sent back',
      toPlan({ decisions: ['edit'] }),
      { feedback: 'smaller' },
      {
        path: 'decision',
        expected: 'one of edit, because this agent can do nothing else',
        received: '"adjust" (text)',
      },
    ],
    [
      'the reason of a denial',
      plain,
      { decision: 'deny', message: 'not today' },
      {
        path: 'message',
        expected: 'no message, because this agent cannot read why a call is denied',
        received: '"not today" (text)',
      },
    ],
    [
      'an edited input',
      plain,
      { decision: 'allow', updatedInput: { command: 'ls -l' } },
      {
        path: 'updatedInput',
        expected: 'no updatedInput, because this agent cannot run a call with an edited input',
        received: 'an object',
      },
    ],
    [
      '"remember"',
      plain,
      { decision: 'allow', remember: true },
      {
        path: 'remember',
        expected: 'no remember, because this agent cannot remember an answer',
        received: 'true (boolean)',
      },
    ],
  ])('refuses %s', (_, interaction, input, problem) => {
    expect(() => check(interaction, input)).toThrow(refusal(interaction, problem));
  });

  it('names only some of many options, and only the beginning of a long one', () => {
    const labels = ['a'.repeat(41), ...'b c d e f g h i j'.split(' ')];
    const request = { question: 'Which?', options: labels.map((label) => ({ label })), abilities: { ownWords: false } };
    expect(() => check(toQuestion(request), { text: 'z' })).toThrow(
      `one of the options "${'a'.repeat(40)}…", "b", "c", "d", "e", "f", "g", "h" (and 2 more), because`,
    );
  });

  it('a label with a comma is one option', () => {
    const request = {
      question: 'Which?',
      options: [{ label: 'a, b' }],
      multiSelect: true,
      abilities: { ownWords: false },
    };
    const interaction = toQuestion(request);
    expect(check(interaction, { text: 'A, B' }).answer).toEqual({ text: 'a, b', selected: ['a, b'] });
    expect(() => check(interaction, {})).toThrow('expected a text or a selected option, got nothing');
  });
});

function toQuestion(request: Extract<Interaction, { kind: 'question' }>['request']): Interaction {
  return { ...pending, kind: 'question', request };
}

function toPlan(abilities: object): Interaction {
  return { ...pending, kind: 'plan_review', request: { plan: '# Plan', toolInput: {}, abilities } };
}

function check(interaction: Interaction, input: unknown) {
  return checkAnswer(interaction, input, () => []);
}

function noWords(path: string, received: string): FieldProblem {
  const options = 'one of the options "SQLite", "Postgres", "postgres", "Both "';
  return { path, expected: `${options}, because this agent takes no other words`, received };
}

function refusal({ kind }: Interaction, problem: FieldProblem): unknown {
  const message: unknown = expect.stringContaining(`Invalid ${kind} answer: `);
  return expect.objectContaining({ code: 'invalid_answer', message, problems: [problem] });
}
