import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import {
  ANSWER_INPUTS,
  ApprovalAnswer,
  ComponentAnswer,
  FormAnswer,
  PLAN_DECISIONS,
  PlanReviewAnswer,
  QuestionAnswer,
} from './answers.ts';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';

type Kind = keyof typeof ANSWER_INPUTS;

const what = { what: 'answer' };
const tooLong = 'a'.repeat(LIMITS.textBytes + 1);

it('a plan has four decisions', () => {
  expect(PLAN_DECISIONS).toEqual(['edit', 'clean_edit', 'default', 'adjust']);
});

describe('an answer that is sent', () => {
  it.each<[Kind, object]>([
    ['question', {}],
    ['question', { text: 'a' }],
    ['question', { selected: ['a', 'b'] }],
    ['question', { text: 'a', selected: [], notes: '' }],
    ['plan_review', {}],
    ['plan_review', { decision: 'yes' }],
    ['plan_review', { feedback: 'smaller' }],
    ['plan_review', { decision: 'edit', feedback: '', editedPlan: '# B' }],
    ['plan_review', { comments: [{ quote: 'Ship it', line: 3, comment: 'When?' }] }],
    ['approval', { decision: 'allow' }],
    ['approval', { decision: 'deny', message: 'no', updatedInput: { a: 1 }, remember: false }],
    ['form', { values: {} }],
    ['form', { values: { name: 'Ana', tags: [1, null] } }],
    ['component', { action: 'click', data: null }],
    ['component', { action: 'select', data: [1], component: 'table' }],
  ])('of the kind %s may be %j', (kind, answer) => {
    expect(parse(ANSWER_INPUTS[kind] as z.ZodMiniType, answer, what)).toEqual(answer);
  });

  it('to a component may come without data', () => {
    expect(parse(ANSWER_INPUTS.component, { action: 'click' }, what)).toEqual({ action: 'click', data: null });
  });

  it.each<[Kind, unknown, string]>([
    ['question', { text: 1 }, 'text: expected a text, got 1 (number)'],
    ['question', { text: tooLong }, 'text: expected a text of at most 65536 bytes, got 65537 bytes'],
    ['question', { notes: tooLong }, 'notes: expected a text of at most 65536 bytes, got 65537 bytes'],
    ['question', { selected: 'a' }, 'selected: expected an array, got "a" (text)'],
    ['question', { selected: [''] }, 'selected[0]: expected a text that is not empty, got "" (text)'],
    ['question', { answer: 'a' }, 'answer: expected no field of this name, got "a" (text)'],
    ['plan_review', { decision: 1 }, 'decision: expected a text, got 1 (number)'],
    ['plan_review', { decision: tooLong }, 'decision: expected a text of at most 65536 bytes'],
    ['plan_review', { feedback: tooLong }, 'feedback: expected a text of at most 65536 bytes'],
    ['plan_review', { editedPlan: null }, 'editedPlan: expected a text, got null'],
    ['plan_review', { comments: [{ quote: 'a', line: 0, comment: 'b' }] }, 'comments[0].line: expected a whole number'],
    [
      'plan_review',
      { comments: [{ quote: 'a', line: 1.5, comment: 'b' }] },
      'comments[0].line: expected a whole number',
    ],
    ['plan_review', { comments: [{ quote: 'a', line: '1', comment: 'b' }] }, 'comments[0].line: expected a number'],
    ['plan_review', { comments: [{ quote: 'a', line: 1 }] }, 'comments[0].comment: expected a text, got nothing'],
    ['plan_review', { comments: [{ quote: tooLong, line: 1, comment: 'b' }] }, 'comments[0].quote: expected a text of'],
    [
      'plan_review',
      { comments: Array.from({ length: 101 }, () => ({ quote: 'a', line: 1, comment: 'b' })) },
      'comments: expected at most 100 items',
    ],
    ['plan_review', { plan: '' }, 'plan: expected no field of this name, got "" (text)'],
    ['approval', {}, 'decision: expected "allow" or "deny", got nothing'],
    ['approval', { decision: 'deny', message: tooLong }, 'message: expected a text of at most 65536 bytes'],
    ['approval', { decision: 'allow', updatedInput: 'ls' }, 'updatedInput: expected an object, got "ls" (text)'],
    ['approval', { decision: 'allow', remember: 'yes' }, 'remember: expected true or false, got "yes" (text)'],
    ['approval', { decision: 'allow', always: true }, 'always: expected no field of this name, got true (boolean)'],
    ['form', {}, 'values: expected an object, got nothing'],
    ['form', { values: { n: Number.NaN } }, 'values.n: expected a finite number, got NaN (number)'],
    ['form', { values: {}, name: 'a' }, 'name: expected no field of this name, got "a" (text)'],
    ['component', { action: '' }, 'action: expected a text that is not empty, got "" (text)'],
    ['component', { action: 'a', data: [10n] }, 'data[0]: expected a JSON value, got 10 (bigint)'],
    ['component', { action: 'a', component: tooLong }, 'component: expected a text of at most 65536 bytes'],
    ['component', { action: 'a', type: 'b' }, 'type: expected no field of this name, got "b" (text)'],
  ])('of the kind %s with a fault is refused (case %#)', (kind, answer, problem) => {
    expect(() => parse(ANSWER_INPUTS[kind] as z.ZodMiniType, answer, what)).toThrow(`Invalid answer: ${problem}`);
  });

  it('may select 100 options and not one more', () => {
    const selected = Array.from({ length: 100 }, (_, index) => `option ${index}`);
    expect(parse(ANSWER_INPUTS.question, { selected }, what)).toEqual({ selected });
    expect(() => parse(ANSWER_INPUTS.question, { selected: [...selected, 'a'] }, what)).toThrow(
      'Invalid answer: selected: expected at most 100 items, got an array of 101',
    );
  });

  it.each<[Kind, (filler: string) => object]>([
    ['question', (filler) => ({ selected: toParts(filler) })],
    ['plan_review', (editedPlan) => ({ decision: 'edit', editedPlan })],
    ['approval', (content) => ({ decision: 'allow', updatedInput: { content } })],
    ['form', (text) => ({ values: { text } })],
    ['component', (data) => ({ action: 'submit', data })],
  ])('of the kind %s has at most 1 MiB of JSON', (kind, make) => {
    const schema = ANSWER_INPUTS[kind] as z.ZodMiniType;
    const room = LIMITS.requestBytes - JSON.stringify(make('a'.repeat(20))).length + 20;
    expect(() => parse(schema, make('a'.repeat(room)), what)).not.toThrow();
    expect(() => parse(schema, make('a'.repeat(room + 1)), what)).toThrow(
      'Invalid answer: expected at most 1048576 bytes of JSON, got 1048577 bytes',
    );
  });
});

describe('an answer that is kept', () => {
  it.each<[string, z.ZodMiniType, object]>([
    ['question', QuestionAnswer, { text: 'a' }],
    ['question', QuestionAnswer, { text: 'a, b', selected: ['a'], notes: 'n' }],
    ['plan_review', PlanReviewAnswer, { decision: 'adjust' }],
    ['plan_review', PlanReviewAnswer, { decision: 'edit', feedback: 'f', editedPlan: 'p' }],
    ['plan_review', PlanReviewAnswer, { decision: 'adjust', comments: [{ quote: 'q', line: 1, comment: 'c' }] }],
    ['approval', ApprovalAnswer, { decision: 'deny' }],
    ['approval', ApprovalAnswer, { decision: 'allow', message: 'm', updatedInput: {}, remember: true }],
    ['form', FormAnswer, { values: {} }],
    ['component', ComponentAnswer, { action: 'click', data: null }],
    ['component', ComponentAnswer, { action: 'click', data: [], component: 'card' }],
  ])('of the kind %s is %j; fields of a newer Beckon are dropped', (_, schema, answer) => {
    expect(parse(schema, { ...answer, addedLater: true }, what)).toEqual(answer);
  });

  it.each<[string, z.ZodMiniType, object, string]>([
    ['question', QuestionAnswer, {}, 'text: expected a text, got nothing'],
    [
      'plan_review',
      PlanReviewAnswer,
      { decision: 'yes' },
      'decision: expected "edit" or "clean_edit" or "default" or "adjust"',
    ],
    ['approval', ApprovalAnswer, { decision: 'yes' }, 'decision: expected "allow" or "deny", got "yes" (text)'],
    ['form', FormAnswer, {}, 'values: expected an object, got nothing'],
    ['component', ComponentAnswer, { action: 'click' }, 'data: expected a JSON value, got nothing'],
  ])('of the kind %s is not just anything', (_, schema, answer, problem) => {
    expect(() => parse(schema, answer, what)).toThrow(`Invalid answer: ${problem}`);
  });
});

/** Cuts a long text into 20 parts, none of which is too long by itself. */
function toParts(text: string): string[] {
  const size = Math.floor(text.length / 20);
  return Array.from({ length: 20 }, (_, index) =>
    text.slice(index * size, index === 19 ? undefined : (index + 1) * size),
  );
}
