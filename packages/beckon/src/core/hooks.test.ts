import { expect, test } from 'vitest';
import { completesCommand, toEventType, toSessionEvents, toWrappedEvent } from './hooks.ts';

test.each([
  [{ event_type: 'a', type: 'b', hook_event_name: 'c' }, 'a'],
  [{ type: 'b', hook_event_name: 'c' }, 'b'],
  [{ event_type: '', type: 'b' }, 'b'],
  [{ event_type: 7, type: null, hook_event_name: 'Stop' }, 'Stop'],
  [{ hook_event_name: 'c' }, 'c'],
  [{ status: 'complete' }, 'claude_hook'],
  [{ type: 'x'.repeat(200) }, 'x'.repeat(200)],
  [{ type: 'x'.repeat(201) }, 'claude_hook'],
  [{ type: 'a\u0000b', hook_event_name: 'Stop' }, 'Stop'],
  [{ type: 'a\ud83d' }, 'claude_hook'],
  [{ type: 'déploiement ✓' }, 'déploiement ✓'],
  [{}, 'claude_hook'],
])('the event of %j is %s', (hook, eventType) => {
  expect(toEventType(hook)).toBe(eventType);
});

test.each([
  [{ status: 'complete' }, true],
  [{ hook_event_name: 'SessionEnd' }, true],
  [{ hook_event_name: null }, true],
  [{ hook_event_name: 'SessionStart' }, false],
  [{ hook_event_name: '' }, false],
  [{ hook_event_name: 'Stop' }, false],
])('whether %j completes a command: %s', (hook, completes) => {
  expect(completesCommand(hook)).toBe(completes);
});

test('a wrapped event has the hook unchanged, to the letter', () => {
  const data = '{ "tool_input": {"id": 12345678901234567890, "ratio": 1.0}, "text": "a\\u0000\\"b" }';
  const text = toWrappedEvent({
    id: 'hook_1',
    sessionId: 'ses"1',
    commandId: 'int_1',
    eventType: 'Stop',
    at: '2026-11-15T20:00:00.000Z',
    data,
  });
  expect(text).toContain(data);
  expect(JSON.parse(text)).toEqual({
    session_id: 'ses"1',
    interaction_id: 'int_1',
    event_type: 'Stop',
    event_data: JSON.parse(data),
    timestamp: '2026-11-15T20:00:00.000Z',
  });
  expect(Object.keys(JSON.parse(text))).toEqual([
    'session_id',
    'interaction_id',
    'event_type',
    'event_data',
    'timestamp',
  ]);
});

const at = '2026-11-15T20:00:00.000Z';
test.each([
  [
    'SessionStart',
    { session_id: 'conv_1', conversation_id: 'conv_2' },
    { type: 'session.started', conversationId: 'conv_1' },
  ],
  ['SessionStart', { conversation_id: 'conv_2' }, { type: 'session.started', conversationId: 'conv_2' }],
  ['SessionStart', { session_id: 7 }, { type: 'session.started' }],
  ['SessionEnd', { session_id: 'conv_1' }, { type: 'session.ended' }],
  ['Stop', { session_id: 'conv_1' }, null],
])('%s with %j says about its session: %j', (eventType, hook, event) => {
  expect(toSessionEvents({ sessionId: 'ses_1', eventType, at }, hook)).toEqual(
    event === null ? [] : [{ ...event, sessionId: 'ses_1', at }],
  );
});
