import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';
import { ApprovalRequest, ComponentRequest, FormRequest, PlanReviewRequest, QuestionRequest } from './requests.ts';

const what = { what: 'request' };
const tooLong = 'a'.repeat(LIMITS.textBytes + 1);

describe('a request', () => {
  it.each<[string, z.ZodMiniType, object, object]>([
    ['a question alone', QuestionRequest, { question: 'Which?' }, { question: 'Which?', options: [] }],
    ['a plan alone', PlanReviewRequest, { plan: '' }, { plan: '', toolInput: {} }],
    ['a tool alone', ApprovalRequest, { tool: 'Bash' }, { tool: 'Bash', input: {} }],
  ])('may be %s; the rest is filled in', (_, schema, request, filled) => {
    expect(parse(schema, request, what)).toEqual(filled);
  });

  it.each<[string, z.ZodMiniType, object]>([
    [
      'question',
      QuestionRequest,
      {
        question: 'Which?',
        header: 'Store',
        options: [{ label: 'SQLite' }, { label: 'Postgres', description: 'A server', preview: '`psql`' }],
        multiSelect: true,
      },
    ],
    ['plan', PlanReviewRequest, { plan: '# Plan', toolInput: { plan: '# Plan', steps: [1] } }],
    [
      'approval',
      ApprovalRequest,
      {
        tool: 'Bash',
        input: { command: 'ls' },
        description: 'List files',
        suggestions: [{ type: 'addRules', rules: [] }],
      },
    ],
    ['form', FormRequest, { message: '', schema: { type: 'object', properties: { name: { type: 'string' } } } }],
    ['component', ComponentRequest, { components: [{ type: 'card' }, [{ type: 'table' }]] }],
    ['component that is a single one', ComponentRequest, { components: { type: 'card' } }],
  ])('of every field is kept as it is: %s', (_, schema, request) => {
    expect(parse(schema, request, what)).toEqual(request);
  });

  it.each<[z.ZodMiniType, object, string]>([
    [QuestionRequest, {}, 'question: expected a text, got nothing'],
    [QuestionRequest, { question: '' }, 'question: expected a text that is not empty, got "" (text)'],
    [QuestionRequest, { question: tooLong }, 'question: expected a text of at most 65536 bytes, got 65537 bytes'],
    [QuestionRequest, { question: 'q', header: tooLong }, 'header: expected a text of at most 65536 bytes'],
    [QuestionRequest, { question: 'q', options: ['a'] }, 'options[0]: expected an object, got "a" (text)'],
    [
      QuestionRequest,
      { question: 'q', options: [{ label: '' }] },
      'options[0].label: expected a text that is not empty',
    ],
    [
      QuestionRequest,
      { question: 'q', options: [{ label: 'a', description: tooLong }] },
      'options[0].description: expected',
    ],
    [QuestionRequest, { question: 'q', options: [{ label: 'a', preview: tooLong }] }, 'options[0].preview: expected'],
    [
      QuestionRequest,
      { question: 'q', options: [{ label: 'a', value: 1 }] },
      'options[0].value: expected no field of this name',
    ],
    [
      QuestionRequest,
      { question: 'q', options: [], abilities: { ownWords: false } },
      'expected options to choose from, where the agent takes no own words, got none',
    ],
    [QuestionRequest, { question: 'q', abilities: { denyText: false } }, 'abilities.denyText: expected no field'],
    [
      PlanReviewRequest,
      { plan: '', abilities: { decisions: [] } },
      'abilities.decisions: expected at least one decision',
    ],
    [PlanReviewRequest, { plan: '', abilities: { decisions: ['yes'] } }, 'abilities.decisions[0]: expected "edit" or'],
    [ApprovalRequest, { tool: 'a', abilities: { remember: 1 } }, 'abilities.remember: expected true or false, got 1'],
    [QuestionRequest, { question: 'q', multiSelect: 1 }, 'multiSelect: expected true or false, got 1 (number)'],
    [QuestionRequest, { question: 'q', choices: [] }, 'choices: expected no field of this name, got an array of 0'],
    [PlanReviewRequest, {}, 'plan: expected a text, got nothing'],
    [PlanReviewRequest, { plan: '', toolInput: [] }, 'toolInput: expected an object, got an array of 0'],
    [PlanReviewRequest, { plan: '', text: '' }, 'text: expected no field of this name, got "" (text)'],
    [ApprovalRequest, { tool: '' }, 'tool: expected a text that is not empty, got "" (text)'],
    [
      ApprovalRequest,
      { tool: 'a', input: { at: new Date(0) } },
      'input.at: expected a JSON value, got an object of a class',
    ],
    [ApprovalRequest, { tool: 'a', description: tooLong }, 'description: expected a text of at most 65536 bytes'],
    [ApprovalRequest, { tool: 'a', suggestions: ['b'] }, 'suggestions[0]: expected an object, got "b" (text)'],
    [ApprovalRequest, { tool: 'a', name: 'b' }, 'name: expected no field of this name, got "b" (text)'],
    [FormRequest, { schema: {} }, 'message: expected a text, got nothing'],
    [FormRequest, { message: '' }, 'schema: expected an object, got nothing'],
    [FormRequest, { message: '', schema: true }, 'schema: expected an object, got true (boolean)'],
    [FormRequest, { message: '', schema: {}, title: '' }, 'title: expected no field of this name, got "" (text)'],
    [ComponentRequest, {}, 'components: expected a JSON value, got nothing'],
    [ComponentRequest, { components: [() => 1] }, 'components[0]: expected a JSON value, got a function'],
    [ComponentRequest, { components: [], id: 1 }, 'id: expected no field of this name, got 1 (number)'],
  ])('with a fault is refused (case %#)', (schema, request, problem) => {
    expect(() => parse(schema, request, what)).toThrow(`Invalid request: ${problem}`);
  });
});

describe('the limits of a request', () => {
  it.each<[string, z.ZodMiniType, (items: number) => object]>([
    ['options', QuestionRequest, (items) => ({ question: 'q', options: fill(items, { label: 'a' }) })],
    ['suggestions', ApprovalRequest, (items) => ({ tool: 'a', input: {}, suggestions: fill(items, {}) })],
  ])('100 %s are not too many, one more is', (field, schema, make) => {
    expect(parse(schema, make(100), what)).toEqual(make(100));
    expect(() => parse(schema, make(101), what)).toThrow(
      `Invalid request: ${field}: expected at most 100 items, got an array of 101`,
    );
  });

  it.each<[string, z.ZodMiniType, (filler: string) => object]>([
    ['question', QuestionRequest, (filler) => ({ question: 'q', options: toOptions(filler) })],
    ['plan', PlanReviewRequest, (plan) => ({ plan, toolInput: {} })],
    ['approval', ApprovalRequest, (content) => ({ tool: 'Write', input: { content } })],
    ['form', FormRequest, (title) => ({ message: 'm', schema: { title } })],
    ['component', ComponentRequest, (text) => ({ components: [{ type: 'markdown', text }] })],
  ])('1 MiB of JSON is not too much for the kind %s, one byte more is', (_, schema, make) => {
    const room = LIMITS.requestBytes - JSON.stringify(make('')).length;
    expect(() => parse(schema, make('a'.repeat(room)), what)).not.toThrow();
    expect(() => parse(schema, make('a'.repeat(room + 1)), what)).toThrow(
      'Invalid request: expected at most 1048576 bytes of JSON, got 1048577 bytes',
    );
  });
});

function fill<Item>(items: number, item: Item): Item[] {
  return Array.from({ length: items }, () => item);
}

/** Spreads a long text over the previews of 20 options, none of which is too long by itself. */
function toOptions(filler: string): object[] {
  return Array.from({ length: 20 }, (_, index) => {
    const size = Math.ceil(filler.length / 20);
    return { label: 'a', preview: filler.slice(index * size, (index + 1) * size) };
  });
}
