import { describe, expect, test } from 'vitest';
import { BeckonError, ERROR_CATALOGUE, type ErrorCode } from './errors.ts';
import { parse } from './parse.ts';
import { fromProblem, PROBLEM_TYPE, Problem, toProblem } from './problem.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('a problem', () => {
  test('has the media type of RFC 9457', () => {
    expect(PROBLEM_TYPE).toBe('application/problem+json');
  });

  test.each(CODES)('of the code %s carries everything that the error says, there and back', (code) => {
    const problems = [{ path: 'id', expected: 'a text', received: 'nothing' }];
    const error = new BeckonError(code, 'It went wrong', { problems });
    const problem = parse(Problem, JSON.parse(JSON.stringify(toProblem(error))), { what: 'problem' });
    expect(problem).toEqual({
      type: `urn:beckon:error:${code}`,
      title: ERROR_CATALOGUE[code].title,
      status: ERROR_CATALOGUE[code].status,
      code,
      detail: 'It went wrong',
      problems,
    });
    expect(fromProblem(problem)).toMatchObject({ code, message: 'It went wrong', status: problem.status, problems });
  });

  test('has no list of fields where none was wrong', () => {
    const problem = toProblem(new BeckonError('closed', 'Closed'));
    expect(problem).not.toHaveProperty('problems');
    expect(fromProblem(problem).problems).toEqual([]);
  });

  test.each([
    [404, 'invalid_input'],
    [500, 'internal'],
    [503, 'internal'],
  ])('with the status %i and a code of a newer Beckon becomes %s', (status, code) => {
    const problem = { type: 'urn:x', title: 'New', status, code: 'added_later', detail: 'Something new' };
    expect(fromProblem(problem)).toMatchObject({ code, message: 'Something new' });
  });

  test('does not take a name that every object has for a code', () => {
    const problem = { type: 'urn:x', title: 'T', status: 400, code: 'constructor', detail: 'd' };
    expect(fromProblem(problem).code).toBe('invalid_input');
  });
});
