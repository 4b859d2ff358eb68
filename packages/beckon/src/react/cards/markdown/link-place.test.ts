import { expect, test } from 'vitest';
import { saysPlace, toImageHost, toPlacedLink } from './link-place.ts';

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' \u0001javascript:alert(1)',
  'https://x.test/\na',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://x.test/a',
  'file:///etc/passwd',
  'intent://x',
  '/v1/interactions',
  '//x.test',
  '#a',
  '?logout',
  '',
])('%j is no link', (address) => {
  expect(toPlacedLink(address)).toBeNull();
});

test('a link names the place that a browser would go to', () => {
  expect(toPlacedLink('https://google.com@evil.test/x')).toBeNull();
  expect(toPlacedLink('https://pаypal.com')?.place).toMatch(/^xn--/);
  expect(toPlacedLink('http:\\\\evil.test\\a')?.place).toBe('evil.test');
  expect(toPlacedLink('mailto:ada@x.test')?.place).toBe('ada@x.test');
});

test('a text says the place, or does not', () => {
  const link = { href: 'https://x.test/', place: 'x.test' };
  expect(saysPlace('https://x.test', link)).toBe(true);
  expect(saysPlace('X.test', link)).toBe(true);
  expect(saysPlace('https://y.test', link)).toBe(false);
  expect(saysPlace('here', link)).toBe(false);
});

test('an image names its host', () => {
  expect(toImageHost('https://x.test/a.png')).toBe('x.test');
  expect(toImageHost('//x.test/a.png')).toBe('x.test');
  expect(toImageHost('a.png')).toBe('');
  expect(toImageHost('data:image/png;base64,AA')).toBe('');
});
