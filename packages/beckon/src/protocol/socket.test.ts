import { describe, expect, test } from 'vitest';
import { parse } from './parse.ts';
import { SocketCommand } from './socket.ts';

const what = { what: 'command' };

describe('a command', () => {
  test.each([
    { type: 'answer', ref: '1', id: 'int_1', answer: { text: 'yes' } },
    { type: 'answer', ref: '1', id: 'int_1', answer: {}, via: 'phone' },
    { type: 'say', ref: '2', chatId: 'default', text: '' },
    { type: 'say', ref: '2', chatId: 'default', text: 'yes', via: 'phone' },
    { type: 'cancel', ref: '3', id: 'int_1' },
    { type: 'cancel', ref: '3', id: 'int_1', reason: 'done' },
  ])('may be %j', (command) => {
    expect(parse(SocketCommand, command, what)).toEqual(command);
  });

  test.each<[unknown, string]>([
    [{}, 'type: expected "answer" or "say" or "cancel", got nothing'],
    [{ type: 'ask', ref: '1' }, 'type: expected "answer" or "say" or "cancel", got "ask" (text)'],
    [[], 'expected an object, got an array of 0'],
    [{ type: 'cancel', id: 'int_1' }, 'ref: expected a text, got nothing'],
    [{ type: 'cancel', ref: '', id: 'int_1' }, 'ref: expected 1 to 200 characters'],
    [{ type: 'answer', ref: '1', id: 'int_1', answer: [] }, 'answer: expected an object'],
    [{ type: 'answer', ref: '1', id: 'int_1', answer: {}, who: 'x' }, 'who: expected no field of this name'],
    [{ type: 'say', ref: '1', chatId: 'a b', text: 'x' }, 'chatId: expected 1 to 200 characters'],
  ])('may not be %j', (command, problem) => {
    expect(() => parse(SocketCommand, command, what)).toThrow(`Invalid command: ${problem}`);
  });
});
