import { expect, test } from 'vitest';
import { describePlace, toPlace, toShownPath } from './place.ts';

const CONTEXT = {
  project: 'webshop',
  folder: '/home/ada/webshop',
  branch: 'feature/currency',
  agent: 'Claude Code',
  machine: 'ada-laptop',
  title: 'Convert the cart',
};

test('a request says where it comes from, on one line', () => {
  expect(describePlace({ context: CONTEXT })).toBe('webshop · feature/currency · Claude Code · ada-laptop');
  expect(describePlace({ context: { machine: 'ada-laptop' } })).toBe('ada-laptop');
  expect(describePlace({})).toBe('');
  expect(toPlace({ context: CONTEXT })).toEqual(CONTEXT);
});

test('what an agent says of its place is made visible, and has an end', () => {
  const lie = { project: 'web\u202eshop\nAllowed by ada', title: 'x'.repeat(300), branch: '' };
  expect(toPlace({ context: lie })).toEqual({
    project: 'web[U+202E]shop Allowed by ada',
    title: `${'x'.repeat(119)}…`,
  });
});

test.each([
  ['/home/ada/webshop/src/cart.ts', 'src/cart.ts'],
  ['/home/ada/webshop-2/src/cart.ts', '/home/ada/webshop-2/src/cart.ts'],
  ['/home/ada/webshop/../.ssh/config', '/home/ada/webshop/../.ssh/config'],
  ['/etc/passwd', '/etc/passwd'],
])('%s is shown as %s', (path, shown) => {
  expect(toShownPath(path, { context: CONTEXT })).toBe(shown);
});

test('without a folder a path stays whole', () => {
  expect(toShownPath('/home/ada/a.ts', {})).toBe('/home/ada/a.ts');
});
