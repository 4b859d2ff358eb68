import { describe, expect, test } from 'vitest';
import {
  MachineLoginBody,
  MachineLoginStarted,
  toUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from './machine-login.ts';
import { parse } from './parse.ts';

test.each([
  ['BCDF-GHJK', 'BCDF-GHJK'],
  ['bcdfghjk', 'BCDF-GHJK'],
  [' bcdf – ghjk ', 'BCDF-GHJK'],
  ['B C D F_G.H J K', 'BCDF-GHJK'],
  ['BCDF-GHJ', null],
  ['BCDF-GHJKL', null],
  ['ACDF-GHJK', null],
  ['BCDF-GHJ0', null],
  ['BCDF/GHJK', null],
  ['', null],
])('%j is the code %j', (text, code) => {
  expect(toUserCode(text)).toBe(code);
});

test('a code cannot be guessed: there are more than 2^34, and no word is among them', () => {
  expect(new Set(USER_CODE_LETTERS).size ** USER_CODE_LENGTH).toBeGreaterThan(2 ** 34);
  expect(USER_CODE_LETTERS).not.toMatch(/[AEIOUY]/);
});

describe('what a machine says', () => {
  const body = { hash: 'a'.repeat(64), machine: 'laptop', user: 'ada', agents: ['Claude Code'] };

  test.each([
    {},
    { machine: 'Büro 💻', user: '山田' },
    { agents: [] },
    { machine: 'x'.repeat(100) },
    { agents: Array.from({ length: 10 }, (_, index) => `agent ${index}`) },
  ])('%o is taken', (changes) => {
    expect(parse(MachineLoginBody, { ...body, ...changes }, { what: 'login' })).toEqual({ ...body, ...changes });
  });

  test.each([
    { hash: 'A'.repeat(64) },
    { hash: 'a'.repeat(63) },
    { machine: '' },
    { machine: ' ' },
    { machine: 'x'.repeat(101) },
    { machine: 'a\nb' },
    { user: '\u0000' },
    { user: '\ud800' },
    { agents: ['\u001b[2J'] },
    { agents: Array.from({ length: 11 }, () => 'a') },
    { id: 'mine' },
    { role: 'admin' },
  ])('%o is refused', (changes) => {
    expect(() => parse(MachineLoginBody, { ...body, ...changes }, { what: 'login' })).toThrow('expected');
  });

  test('a hash that is wrong is not repeated', () => {
    const hash = 'secret'.repeat(11);
    expect(() => parse(MachineLoginBody, { ...body, hash }, { what: 'login' })).toThrow(/got something else$/);
  });
});

describe('the link that a machine opens', () => {
  const toReply = (verifyUrl: string) => ({
    id: 'x',
    userCode: 'BCDF-GHJK',
    verifyUrl,
    expiresAt: '2026-01-01T00:00:00.000Z',
  });

  test.each(['https://beckon.example.com/connect#BCDF-GHJK', 'http://[::1]:8228/team/beckon/connect#BCDF-GHJK'])(
    'may be %s',
    (link) => {
      expect(parse(MachineLoginStarted, toReply(link), { what: 'reply' })).toEqual(toReply(link));
    },
  );

  test.each([
    'https://beckon.example.com/connect#BCDF-GHJK&calc',
    'https://beckon.example.com/other#BCDF-GHJK',
    'https://beckon.example.com/%PATH%/connect#BCDF-GHJK',
    'https://beckon.example.com/&calc/connect#BCDF-GHJK',
    'https://user@beckon.example.com/connect#BCDF-GHJK',
    'javascript://x/connect#BCDF-GHJK',
    'file:///connect#BCDF-GHJK',
  ])('may not be %s', (link) => {
    expect(() => parse(MachineLoginStarted, toReply(link), { what: 'reply' })).toThrow('expected a link');
  });
});
