import { expect, test } from 'vitest';
import { toLoginLink } from './login-code.ts';

const CODE = 'abc_DEF-123';

test.each([
  [`http://127.0.0.1:8228/login#${CODE}`, { code: CODE }],
  [`  ${CODE} `, { code: CODE }],
  [`https://beckon.example.com/team/login#${CODE}&to=%2Fi%2Fint_1`, { code: CODE, to: '/i/int_1' }],
  [`#${CODE}&to=%2Fi%2Fa%253Ab%40c`, { code: CODE, to: '/i/a%3Ab@c' }],
  ['http://127.0.0.1:8228/login', null],
  ['http://127.0.0.1:8228/login#', null],
  ['http://127.0.0.1:8228/login#<script>', null],
  ['#&to=%2Fi%2Fint_1', null],
  ['', null],
])('%s says %j', (link, expected) => {
  expect(toLoginLink(link)).toEqual(expected);
});

test.each([
  'https://eve.example',
  '//eve.example',
  '/\\eve.example',
  '/i//eve.example',
  '/i/../history',
  '/i/..',
  '/i/a/b',
  '/i/a?b',
  '/i/a#b',
  'javascript:alert(1)',
  '/login',
  '/',
  'i/int_1',
  ' /i/int_1',
  '',
])('a link leads to a request of this page, and never to %s', (to) => {
  expect(toLoginLink(`#${CODE}&to=${encodeURIComponent(to)}`)).toEqual({ code: CODE });
});
