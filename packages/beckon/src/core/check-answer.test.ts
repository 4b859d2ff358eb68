import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../protocol/answers.ts';
import { describeValue } from '../protocol/describe-value.ts';
import type { FieldProblem } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { type CheckForm, checkAnswer } from './check-answer.ts';

const pending = {
  id: 'int_1',
  chatId: 'default',
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

const options = [{ label: 'SQLite' }, { label: 'Postgres' }, { label: 'postgres' }, { label: 'Both ' }];
const one: Interaction = { ...pending, kind: 'question', request: { question: 'Which store?', options } };
const many: Interaction = { ...one, request: { ...one.request, multiSelect: true } };
const plan: Interaction = { ...pending, kind: 'plan_review', request: { plan: '# Plan', toolInput: {} } };
const approval: Interaction = { ...pending, kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } };
const form: Interaction = {
  ...pending,
  kind: 'form',
  request: { message: 'Who?', schema: { required: ['name', 'home["a b"]', '[0]'] } },
};
const component: Interaction = { ...pending, kind: 'component', request: { components: [] } };

describe('a question', () => {
  it.each<[string, Interaction, object, Answer]>([
    ['a text that is an option selects it', one, { text: 'SQLite' }, { text: 'SQLite', selected: ['SQLite'] }],
    ['a text that is no option is free text', one, { text: 'A flat file' }, { text: 'A flat file' }],
    ['free text is kept as it was typed', one, { text: '  A flat file\n' }, { text: '  A flat file\n' }],
    ['case and space do not count', one, { text: ' sqlITE ' }, { text: 'SQLite', selected: ['SQLite'] }],
    ['case and space of the label do not count', one, { text: 'BOTH' }, { text: 'Both ', selected: ['Both '] }],
    ['the exact label comes first', one, { text: 'postgres' }, { text: 'postgres', selected: ['postgres'] }],
    ['else the first that matches', one, { text: 'POSTGRES' }, { text: 'Postgres', selected: ['Postgres'] }],
    ['a chosen option gives the text', one, { selected: ['SQLite'] }, { text: 'SQLite', selected: ['SQLite'] }],
    ['a choice that was not offered is free text', one, { selected: ['Oracle'] }, { text: 'Oracle' }],
    ['the same choice twice is one', one, { selected: ['SQLite', 'sqlite'] }, { text: 'SQLite', selected: ['SQLite'] }],
    ['several choices are joined', many, { selected: ['Postgres', 'SQLite'] }, both('Postgres, SQLite')],
    ['each choice counts once', many, { selected: ['Postgres', 'sqlite', 'SQLite'] }, both('Postgres, SQLite')],
    [
      'free text among the choices is in the text alone',
      many,
      { selected: ['SQLite', 'a file'] },
      { text: 'SQLite, a file', selected: ['SQLite'] },
    ],
    ['blank choices do not count', many, { selected: [' ', 'SQLite', '\n'] }, { text: 'SQLite', selected: ['SQLite'] }],
    ['a text beside the choices is kept', many, { text: 'two', selected: ['Postgres', 'SQLite'] }, both('two')],
    ['a blank text beside the choices is none', one, { text: ' ', selected: ['a file'] }, { text: 'a file' }],
    [
      'a text without choices stands alone',
      one,
      { text: 'sqlite', selected: [] },
      { text: 'SQLite', selected: ['SQLite'] },
    ],
    ['notes are kept', one, { text: 'x', notes: 'not sure' }, { text: 'x', notes: 'not sure' }],
  ])('%s', (_, interaction, input, answer) => {
    expect(check(interaction, input)).toStrictEqual({ answer, needsFeedback: false });
  });

  it.each<[string, Interaction, unknown, FieldProblem]>([
    ['nothing at all', one, {}, { path: 'text', expected: 'a text or a selected option', received: 'nothing' }],
    [
      'a blank text',
      one,
      { text: ' ' },
      { path: 'text', expected: 'a text or a selected option', received: '" " (text)' },
    ],
    [
      'no choice and notes alone',
      many,
      { selected: [], notes: 'hm' },
      { path: 'text', expected: 'a text or a selected option', received: 'nothing' },
    ],
    [
      'two options of a question that takes one',
      one,
      { selected: ['SQLite', 'Oracle'] },
      { path: 'selected', expected: 'one option', received: '2 options' },
    ],
    [
      'two options where several are ruled out',
      { ...one, request: { ...one.request, multiSelect: false } },
      { selected: ['SQLite', 'Postgres'] },
      { path: 'selected', expected: 'one option', received: '2 options' },
    ],
    [
      'a decision',
      one,
      { decision: 'allow' },
      { path: 'decision', expected: 'no field of this name', received: '"allow" (text)' },
    ],
    ['a bare text', one, 'SQLite', { path: '', expected: 'an object', received: '"SQLite" (text)' }],
  ])('refuses %s', (_, interaction, input, problem) => {
    expect(() => check(interaction, input)).toThrow(refusal(interaction, [problem]));
  });

  it('an answer as it is kept is accepted again, unchanged', () => {
    const anyText = fc.oneof(
      fc.constantFrom('SQLite', 'postgres', ' both', 'SQLITE'),
      fc.string().filter((text) => text.trim() !== ''),
    );
    const anyInput = fc.oneof(
      fc.record({ text: anyText }),
      fc.record({ selected: fc.array(anyText, { minLength: 1 }), notes: fc.string() }),
    );
    fc.assert(
      fc.property(anyInput, (input) => {
        const { answer } = check(many, input);
        expect(check(many, answer).answer).toStrictEqual(answer);
      }),
    );
  });
});

describe('a plan', () => {
  it.each<[string, object, Answer]>([
    ['"edit" stays "edit"', { decision: 'edit' }, { decision: 'edit' }],
    ['"default" stays "default"', { decision: 'default' }, { decision: 'default' }],
    ['a word of consent means "clean_edit"', { decision: 'Proceed' }, { decision: 'clean_edit' }],
    ['feedback alone means "adjust"', { feedback: 'smaller' }, { decision: 'adjust', feedback: 'smaller' }],
    ['"no" with feedback is settled', { decision: 'no', feedback: 'why' }, { decision: 'adjust', feedback: 'why' }],
    ['"reject" settles without feedback', { decision: 'reject' }, { decision: 'adjust' }],
    ['"reject" takes feedback', { decision: 'reject', feedback: 'no' }, { decision: 'adjust', feedback: 'no' }],
    ['an edited plan is kept', { decision: 'yes', editedPlan: '# B' }, { decision: 'clean_edit', editedPlan: '# B' }],
    [
      'an edited plan stands for feedback',
      { decision: 'adjust', editedPlan: '# B' },
      { decision: 'adjust', editedPlan: '# B' },
    ],
    [
      'comments alone mean "adjust"',
      { comments: [{ quote: 'Plan', line: 1, comment: 'Which?' }] },
      { decision: 'adjust', comments: [{ quote: 'Plan', line: 1, comment: 'Which?' }] },
    ],
    [
      '"adjust" with comments is settled',
      { decision: 'adjust', comments: [{ quote: '', line: 2, comment: 'Add tests' }] },
      { decision: 'adjust', comments: [{ quote: '', line: 2, comment: 'Add tests' }] },
    ],
    ['no comments are none', { decision: 'edit', comments: [] }, { decision: 'edit' }],
    ['blank feedback is none', { decision: 'edit', feedback: ' ' }, { decision: 'edit' }],
  ])('%s', (_, input, answer) => {
    expect(check(plan, input)).toStrictEqual({ answer, needsFeedback: false });
  });

  it.each([{ decision: 'adjust' }, { decision: ' No ' }, { decision: 'adjust', feedback: '\n', comments: [] }])(
    '%j needs its feedback still',
    (input) => {
      expect(check(plan, input)).toStrictEqual({ answer: { decision: 'adjust' }, needsFeedback: true });
    },
  );

  const words = 'one of edit, clean_edit, default, adjust, yes, y, ok, accept, approve, proceed, no, n, reject';
  it.each<[string, object, FieldProblem]>([
    ['an unknown word', { decision: 'perhaps' }, { path: 'decision', expected: words, received: '"perhaps" (text)' }],
    [
      'an unknown word with feedback',
      { decision: 'hm', feedback: 'x' },
      { path: 'decision', expected: words, received: '"hm" (text)' },
    ],
    ['nothing at all', {}, { path: 'decision', expected: words, received: 'nothing' }],
    ['blank feedback alone', { feedback: ' ' }, { path: 'decision', expected: words, received: 'nothing' }],
    ['an edited plan alone', { editedPlan: '# B' }, { path: 'decision', expected: words, received: 'nothing' }],
    [
      'consent with feedback, which would get lost',
      { decision: 'yes', feedback: 'but smaller' },
      {
        path: 'feedback',
        expected: 'feedback only with the decision "adjust" or "reject"',
        received: '"but smaller" (text)',
      },
    ],
    [
      'consent with comments, which would get lost',
      { decision: 'yes', comments: [{ quote: 'Plan', line: 1, comment: 'Which?' }] },
      { path: 'comments', expected: 'comments only with the decision "adjust" or "reject"', received: 'an array of 1' },
    ],
    [
      'a comment that says nothing',
      { comments: [{ quote: 'Plan', line: 1, comment: ' ' }] },
      { path: 'comments[0].comment', expected: 'a text that is not blank', received: '" " (text)' },
    ],
    [
      'a decision that is no text',
      { decision: true },
      { path: 'decision', expected: 'a text', received: 'true (boolean)' },
    ],
  ])('refuses %s', (_, input, problem) => {
    expect(() => check(plan, input)).toThrow(refusal(plan, [problem]));
  });
});

describe('an approval', () => {
  it.each<Answer>([
    { decision: 'allow' },
    { decision: 'deny' },
    { decision: 'deny', message: 'too risky' },
    { decision: 'allow', updatedInput: { command: 'ls -l' } },
    { decision: 'allow', updatedInput: { command: 'ls' }, remember: true },
  ])('%j is kept as it is', (answer) => {
    expect(check(approval, answer)).toStrictEqual({ answer, needsFeedback: false });
  });

  it('after an edit there is nothing to remember: the rule was offered for what the person did not allow', () => {
    const answer = { decision: 'allow', updatedInput: { command: 'ls -l' } };
    expect(check(approval, { ...answer, remember: true })).toStrictEqual({ answer, needsFeedback: false });
  });

  it.each<[string, object, FieldProblem]>([
    [
      'another word',
      { decision: 'yes' },
      { path: 'decision', expected: '"allow" or "deny"', received: '"yes" (text)' },
    ],
    ['no decision', {}, { path: 'decision', expected: '"allow" or "deny"', received: 'nothing' }],
    [
      'an updated input that is a text',
      { decision: 'allow', updatedInput: 'ls -l' },
      { path: 'updatedInput', expected: 'an object', received: '"ls -l" (text)' },
    ],
    [
      'an updated input that is an array',
      { decision: 'allow', updatedInput: [] },
      { path: 'updatedInput', expected: 'an object', received: 'an array of 0' },
    ],
    [
      'an updated input that is null',
      { decision: 'allow', updatedInput: null },
      { path: 'updatedInput', expected: 'an object', received: 'null' },
    ],
    [
      'an updated input with a denial',
      { decision: 'deny', updatedInput: {} },
      {
        path: 'updatedInput',
        expected: 'an updated input only with the decision "allow"',
        received: 'the decision "deny"',
      },
    ],
  ])('refuses %s', (_, input, problem) => {
    expect(() => check(approval, input)).toThrow(refusal(approval, [problem]));
  });
});

describe('a form', () => {
  it('keeps values that satisfy its schema', () => {
    const values = { name: 'Ana', 'home["a b"]': 1, '[0]': true };
    expect(check(form, { values })).toStrictEqual({ answer: { values }, needsFeedback: false });
  });

  it('refuses values that do not, with paths below the values', () => {
    const problems = [
      { path: 'values.home["a b"]', expected: 'a value', received: 'nothing' },
      { path: 'values[0]', expected: 'a value', received: 'nothing' },
    ];
    expect(() => check(form, { values: { name: 'Ana' } })).toThrow(refusal(form, problems));
  });

  it('names the values themselves where they are wrong as a whole', () => {
    const problem = { expected: 'at least 1 field', received: '0 fields' };
    const atRoot: CheckForm = () => [{ path: '', ...problem }];
    expect(() => check(form, { values: {} }, atRoot)).toThrow(refusal(form, [{ path: 'values', ...problem }]));
  });

  it.each<[object, FieldProblem]>([
    [{}, { path: 'values', expected: 'an object', received: 'nothing' }],
    [{ values: ['Ana'] }, { path: 'values', expected: 'an object', received: 'an array of 1' }],
  ])('refuses %j', (input, problem) => {
    expect(() => check(form, input)).toThrow(refusal(form, [problem]));
  });
});

describe('a component', () => {
  it.each<[object, Answer]>([
    [{ action: 'click' }, { action: 'click', data: null }],
    [
      { action: 'submit', data: { rows: [1] }, component: 'form' },
      { action: 'submit', data: { rows: [1] }, component: 'form' },
    ],
  ])('%j is an answer', (input, answer) => {
    expect(check(component, input)).toStrictEqual({ answer, needsFeedback: false });
  });

  it('refuses an answer without an action', () => {
    const problem = { path: 'action', expected: 'a text', received: 'nothing' };
    expect(() => check(component, { data: 1 })).toThrow(refusal(component, [problem]));
  });
});

it.each([
  [one, 'Invalid question answer: '],
  [plan, 'Invalid plan_review answer: '],
  [approval, 'Invalid approval answer: '],
  [form, 'Invalid form answer: '],
  [component, 'Invalid component answer: '],
])('the error names the kind $kind', (interaction, start) => {
  expect(() => check(interaction, {})).toThrow(start);
  expect(() => check(interaction, 7)).toThrow(`${start}expected an object, got 7 (number)`);
});

/** A form whose schema only says which values are required. */
const checkRequired: CheckForm = (schema, values) =>
  (schema['required'] as string[])
    .filter((name) => values[name] === undefined)
    .map((name) => ({ path: name, expected: 'a value', received: describeValue(values[name]) }));

function check(interaction: Interaction, input: unknown, checkForm = checkRequired) {
  return checkAnswer(interaction, input, checkForm);
}

function refusal({ kind }: Interaction, problems: FieldProblem[]): unknown {
  const message: unknown = expect.stringContaining(`Invalid ${kind} answer: `);
  return expect.objectContaining({ code: 'invalid_answer', message, problems });
}

function both(text: string): Answer {
  return { text, selected: ['Postgres', 'SQLite'] };
}
