import { expect, test } from 'vitest';
import { Note } from './note.ts';
import { parse } from './parse.ts';

test.each([
  { type: 'delivered', connector: 'terminal' },
  { type: 'undeliverable', connector: 'telegram', error: 'chat not found' },
  { type: 'undeliverable', connector: 'telegram', error: '' },
  { type: 'reminded' },
])('%o is a note', (note) => {
  expect(parse(Note, note, { what: 'note' })).toEqual(note);
});

test.each([
  ['a type that is none', { type: 'requested' }, 'type'],
  ['no connector', { type: 'delivered' }, 'connector'],
  ['a connector without a name', { type: 'undeliverable', connector: '', error: 'x' }, 'connector'],
  ['no error', { type: 'undeliverable', connector: 'telegram' }, 'error'],
  ['a field of another type', { type: 'reminded', connector: 'telegram' }, 'connector'],
])('%s is refused', (_, note, path) => {
  expect(() => parse(Note, note, { what: 'note' })).toThrow(
    expect.objectContaining({ code: 'invalid_input', problems: [expect.objectContaining({ path })] }),
  );
});
