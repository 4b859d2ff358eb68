import { expect, test } from 'vitest';
import { toLoginCode } from './login-code.ts';

test.each([
  ['http://127.0.0.1:8228/login#abc_DEF-123', 'abc_DEF-123'],
  ['  abc_DEF-123 ', 'abc_DEF-123'],
  ['http://127.0.0.1:8228/login', null],
  ['http://127.0.0.1:8228/login#', null],
  ['http://127.0.0.1:8228/login#<script>', null],
  ['', null],
])('%s has the code %s', (link, code) => {
  expect(toLoginCode(link)).toBe(code);
});
