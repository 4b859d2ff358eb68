import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { describeValue } from './describe-value.ts';
import { BeckonError } from './errors.ts';
import { formatPath, must, parse, toFieldError } from './parse.ts';

const Place = z.strictObject({
  name: z.string(),
  tags: z.optional(z.array(z.enum(['new', 'old']))),
  size: z.optional(z.number().check(must('more than 0', (size) => size > 0))),
});

describe('parse', () => {
  it('returns what the schema makes of the input', () => {
    expect(parse(z._default(z.string(), 'home'), undefined, { what: 'place' })).toBe('home');
  });

  it('throws an error with the code, the problems and a message that names them', () => {
    const error = catchError(() => parse(Place, { name: 7 }, { what: 'place' }));
    expect(error).toBeInstanceOf(BeckonError);
    expect(error).toMatchObject({
      code: 'invalid_input',
      message: 'Invalid place: name: expected a text, got 7 (number)',
      problems: [{ path: 'name', expected: 'a text', received: '7 (number)' }],
    });
  });

  it('lists at most 50 problems, and counts the others', () => {
    const input = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]));
    const error = catchError(() => parse(Place, { name: 'a', ...input }, { what: 'place' })) as BeckonError;
    expect(error.problems).toHaveLength(50);
    expect(error.message).toMatch(/ \(and 997 more\)$/);
  });

  it('throws the code it is asked for', () => {
    const error = catchError(() => parse(Place, null, { what: 'place', code: 'invalid_answer' }));
    expect(error).toMatchObject({ code: 'invalid_answer', message: 'Invalid place: expected an object, got null' });
  });

  it.each([
    ['a wrong type', Place, [], 'expected an object, got an array of 0'],
    ['a missing field', Place, {}, 'name: expected a text, got nothing'],
    ['a wrong word', Place, { name: 'a', tags: ['new', 'big'] }, 'tags[1]: expected "new" or "old", got "big" (text)'],
    ['a broken rule', Place, { name: 'a', size: 0 }, 'size: expected more than 0, got 0 (number)'],
    ['an unknown field', Place, { name: 'a', id: 'x' }, 'id: expected no field of this name, got "x" (text)'],
    [
      'several faults',
      Place,
      { size: '1', a: 1, b: 2 },
      'name: expected a text, got nothing; size: expected a number, got "1" (text); a: expected no field of this name, got 1 (number) (and 1 more)',
    ],
    ['a wrong boolean', z.boolean(), 'yes', 'expected true or false, got "yes" (text)'],
    ['a wrong array', z.array(z.string()), {}, 'expected an array, got an object'],
    ['a fraction', z.int(), 1.5, 'expected a whole number, got 1.5 (number)'],
    ['a type without a name of ours', z.date(), 'today', 'expected date, got "today" (text)'],
    ['no member of a union', z.union([z.number(), z.null()]), 'a', 'expected a number or null, got "a" (text)'],
    ['a rule of zod', z.string().check(z.minLength(2, 'two letters')), 'a', 'expected two letters, got "a" (text)'],
    [
      'a refinement of zod',
      z.string().check(z.refine((text) => text !== 'a', 'another')),
      'a',
      'expected another, got "a" (text)',
    ],
  ])('names %s', (_, schema: z.ZodMiniType, input, problem) => {
    const error = catchError(() => parse(schema, input, { what: 'value' }));
    expect(error).toMatchObject({ message: `Invalid value: ${problem}` });
  });

  const Shape = z.discriminatedUnion('type', [
    z.object({ type: z.literal('round'), radius: z.number() }),
    z.object({ type: z.literal('square') }),
  ]);
  it.each([
    [{ type: 'flat' }, 'shapes[0].type: expected "round" or "square", got "flat" (text)'],
    [{}, 'shapes[0].type: expected "round" or "square", got nothing'],
    ['round', 'shapes[0]: expected an object, got "round" (text)'],
    [{ type: 'round' }, 'shapes[0].radius: expected a number, got nothing'],
  ])('names what is wrong with the variant %j', (shape, problem) => {
    const error = catchError(() =>
      parse(z.object({ shapes: z.array(Shape) }), { shapes: [shape] }, { what: 'drawing' }),
    );
    expect(error).toMatchObject({ message: `Invalid drawing: ${problem}` });
  });

  it('refuses an own field named __proto__', () => {
    const input: unknown = JSON.parse('{ "name": "a", "__proto__": { "admin": true } }');
    const error = catchError(() => parse(Place, input, { what: 'place' }));
    expect(error).toMatchObject({
      problems: [{ path: '__proto__', expected: 'no field of this name', received: 'an object' }],
    });
  });
});

describe('must', () => {
  it('shows what it is told to show instead of the value', () => {
    const Short = z.string().check(
      must(
        'at most 3 letters',
        (text) => text.length <= 3,
        (text) => `${text.length} letters`,
      ),
    );
    expect(parse(Short, 'abc', { what: 'word' })).toBe('abc');
    expect(() => parse(Short, 'abcd', { what: 'word' })).toThrow(
      'Invalid word: expected at most 3 letters, got 4 letters',
    );
  });
});

describe('toFieldError', () => {
  const problem = { expected: 'a', received: 'b' };

  it('shows three problems and counts the rest, and keeps all of them', () => {
    const problems = ['p', 'q', 'r', 's', 't'].map((path) => ({ path, ...problem }));
    const three = 'p: expected a, got b; q: expected a, got b; r: expected a, got b';
    expect(toFieldError('invalid_answer', 'form answer', problems.slice(0, 3)).message).toBe(
      `Invalid form answer: ${three}`,
    );
    expect(toFieldError('invalid_answer', 'form answer', problems)).toMatchObject({
      code: 'invalid_answer',
      message: `Invalid form answer: ${three} (and 2 more)`,
      problems,
    });
  });
});

describe('formatPath', () => {
  it.each<[PropertyKey[], string]>([
    [[], ''],
    [['request'], 'request'],
    [['request', 'options', 2, 'label'], 'request.options[2].label'],
    [[0, 'a'], '[0].a'],
    [['a', '0'], 'a["0"]'],
    [['a b', 'c'], '["a b"].c'],
    [['a', ''], 'a[""]'],
    [['a', 'say "hi"'], 'a["say \\"hi\\""]'],
    [['$a', '_b1'], '$a._b1'],
    [['a', Symbol('s')], 'a["Symbol(s)"]'],
  ])('of %j is %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

describe('describeValue', () => {
  it.each<[unknown, string]>([
    [undefined, 'nothing'],
    [null, 'null'],
    ['', '"" (text)'],
    ['say "hi"', '"say \\"hi\\"" (text)'],
    ['x'.repeat(40), `"${'x'.repeat(40)}" (text)`],
    ['x'.repeat(41), `"${'x'.repeat(40)}"… (text, 41 characters)`],
    [3, '3 (number)'],
    [Number.NaN, 'NaN (number)'],
    [10n, '10 (bigint)'],
    [false, 'false (boolean)'],
    [[], 'an array of 0'],
    [[1, 2], 'an array of 2'],
    [{ a: 1 }, 'an object'],
    [() => 1, 'a function'],
    [Symbol('s'), 'a symbol'],
  ])('of a value: %s', (value, text) => {
    expect(describeValue(value)).toBe(text);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}
