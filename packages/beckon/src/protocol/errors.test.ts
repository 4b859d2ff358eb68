import { describe, expect, it } from 'vitest';
import { BeckonError, ERROR_CATALOGUE, type ErrorCode } from './errors.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('a BeckonError', () => {
  it.each(CODES)('with the code %s has the status of the catalogue', (code) => {
    const error = new BeckonError(code, 'It went wrong');
    expect(error).toMatchObject({ code, message: 'It went wrong', status: ERROR_CATALOGUE[code].status });
  });

  it('is an error that says its name', () => {
    const error = new BeckonError('closed', 'Beckon was closed');
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('BeckonError: Beckon was closed');
  });

  it('has no problems and no cause unless it is given some', () => {
    const error = new BeckonError('closed', 'Beckon was closed');
    expect(error.problems).toEqual([]);
    expect(Object.hasOwn(error, 'cause')).toBe(false);
  });

  it('keeps its cause, whatever it is', () => {
    const cause = new Error('SQLITE_FULL');
    expect(new BeckonError('store_full', 'The disk is full', { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new BeckonError('store_full', 'The disk is full', { cause: undefined }), 'cause')).toBe(true);
  });

  it('keeps the problems of its fields', () => {
    const problems = [{ path: 'id', expected: 'a text', received: '7 (number)' }];
    expect(new BeckonError('invalid_input', 'Invalid', { problems }).problems).toEqual(problems);
  });
});

describe('the catalogue', () => {
  it.each(CODES)('%s is a snake_case code with an HTTP error status and a title', (code) => {
    const { status, title } = ERROR_CATALOGUE[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });
});
