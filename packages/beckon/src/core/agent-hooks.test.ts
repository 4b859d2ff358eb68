import { expect, test } from 'vitest';
import { TEST_EVENT, toTestHook } from './agent-hooks.ts';

test('a test hook belongs to a session of its own, or to a given one', () => {
  expect(JSON.parse(toTestHook())).toEqual({ hook_event_name: TEST_EVENT, session_id: 'beckon-test' });
  expect(JSON.parse(toTestHook('s1'))).toEqual({ hook_event_name: TEST_EVENT, session_id: 's1' });
});
