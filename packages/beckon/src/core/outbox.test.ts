import { expect, test } from 'vitest';
import { toMissingEntry, toOutboxDetail } from './outbox.ts';

test('an entry is shown with the event as it is sent', () => {
  const named = { sessionId: 'ses_1', eventType: 'Stop', at: '2026-11-15T20:00:00.000Z' };
  const entry = {
    id: 'hook_1',
    interactionId: 'int_1',
    ...named,
    destination: 'https://team',
    status: 'dead',
    attempts: 1,
  } as const;
  const hook = { id: 'hook_1', commandId: 'int_1', ...named, data: '{"turn":1}' };
  expect(toOutboxDetail({ ...entry, hook })).toEqual({
    ...entry,
    event: {
      session_id: 'ses_1',
      interaction_id: 'int_1',
      event_type: 'Stop',
      event_data: { turn: 1 },
      timestamp: named.at,
    },
  });
});

test('an entry that is not there is named', () => {
  const message = 'No hook with id "hook_1" in the outbox. It may have been forwarded.';
  expect(toMissingEntry('hook_1')).toMatchObject({ code: 'hook_not_found', message });
});
