import { describe, expect, test } from 'vitest';
import { HookHead, isPlainName, WrappedEvent } from './hooks.ts';
import { parse } from './parse.ts';

const EVENT = {
  session_id: 'ses_1',
  interaction_id: 'a/b c',
  event_type: 'Stop',
  event_data: { deep: [[[]]] },
  timestamp: '2026-11-15T20:00:00.000Z',
};

test.each([
  ['Stop', true],
  ['a/b c?', true],
  ['ünï 👋', true],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['', false],
  ['a\u0000', false],
  ['a\nb', false],
  ['\ud83d', false],
])('whether %j names something: %s', (text, isName) => {
  expect(isPlainName(text)).toBe(isName);
});

describe('a wrapped event', () => {
  test('is kept; fields of a later version are dropped', () => {
    expect(parse(WrappedEvent, { ...EVENT, more: 1 }, { what: 'event' })).toEqual(EVENT);
  });

  test.each<[string, object, string]>([
    ['a session that cannot be in an address', { session_id: 'a b' }, 'session_id: expected 1 to 200 characters'],
    ['no interaction', { interaction_id: undefined }, 'interaction_id: expected a text, got nothing'],
    ['no name', { event_type: '' }, 'event_type: expected 1 to 200 characters'],
    ['a list for a hook', { event_data: [] }, 'event_data: expected an object, got an array of 0'],
    ['no hook', { event_data: null }, 'event_data: expected an object, got null'],
    ['a text for a hook', { event_data: 'x' }, 'event_data: expected an object, got "x" (text)'],
    ['a day for a time', { timestamp: '2026-11-15' }, 'timestamp: expected a time'],
    ['a time that is none', { timestamp: '2026-11-15Tnoon' }, 'timestamp: expected a time'],
  ])('with %s is refused', (_, fields, problem) => {
    expect(() => parse(WrappedEvent, { ...EVENT, ...fields }, { what: 'event' })).toThrow(`Invalid event: ${problem}`);
  });
});

test('a hook may have a time and an id', () => {
  const head = { sessionId: 's', commandId: 'i', hook: {}, at: EVENT.timestamp, id: 'hook_1' };
  expect(parse(HookHead, head, { what: 'hook' })).toEqual(head);
  expect(() => parse(HookHead, { ...head, id: 'a b' }, { what: 'hook' })).toThrow('Invalid hook: id: expected');
});
