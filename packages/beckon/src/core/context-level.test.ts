import { expect, test } from 'vitest';
import type { Context } from '../protocol/context.ts';
import { limitContext } from './context-level.ts';

const place: Context = { project: 'webshop', branch: 'main', title: 'Convert the cart' };
const file = { path: '/a.ts', sha256: 'a'.repeat(64) };
const full: Context = {
  ...place,
  prompt: 'Do it',
  message: 'm'.repeat(600),
  calls: [{ tool: 'Bash' }],
  conversation: [{ by: 'agent', text: 'Hello' }],
  files: [{ ...file, before: [{ line: 1, text: 'secret plans' }] }],
};

test('full keeps all of it, off nothing', () => {
  expect(limitContext(full, 'full')).toBe(full);
  expect(limitContext(full, 'off')).toBeUndefined();
});

test('a summary has the place, the start of the message, and the hashes of the files', () => {
  expect(limitContext(full, 'summary')).toEqual({ ...place, message: 'm'.repeat(500), files: [file] });
  expect(limitContext(place, 'summary')).toEqual(place);
});
