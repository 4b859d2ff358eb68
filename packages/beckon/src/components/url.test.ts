import { expect, test } from 'vitest';
import { isSafeLink, isSafeSource } from './url.ts';

test.each(['https://example.com', 'http://localhost:3000/a?b#c', 'HTTPS://EXAMPLE.COM'])(
  '%s is safe everywhere',
  (url) => {
    expect(isSafeLink(url)).toBe(true);
    expect(isSafeSource(url)).toBe(true);
  },
);

test('a mail address is a link, but nothing is loaded from it', () => {
  expect(isSafeLink('mailto:a@example.com')).toBe(true);
  expect(isSafeSource('mailto:a@example.com')).toBe(false);
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  '//example.com',
  '/relative',
  '',
  'https://',
  'https://user:secret@example.com',
  'https://exam\u202eple.com',
  `https://example.com/${'a'.repeat(9000)}`,
])('%j is refused', (url) => {
  expect(isSafeLink(url)).toBe(false);
  expect(isSafeSource(url)).toBe(false);
});
