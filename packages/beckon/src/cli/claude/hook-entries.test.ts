import { expect, test } from 'vitest';
import {
  DEFAULT_EVENTS,
  EVENTS,
  findOwnHooks,
  type Hooks,
  mergeHooks,
  removeOwnHooks,
  toOwnHooks,
} from './hook-entries.ts';

const PLAN = { command: ['/usr/bin/node', '/opt/beckon/main.js'], events: DEFAULT_EVENTS, timeoutSeconds: 82_800 };
const OTHERS: Hooks = {
  PermissionRequest: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'notify-send hi' }] }],
  PreToolUse: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:1/' }] }],
  Stop: [],
};

test('Claude Code waits for people longer than Beckon does, and for reports hardly at all', () => {
  expect(toOwnHooks({ ...PLAN, chatId: 'ops', events: ['SessionStart', 'PostToolUse'] })).toEqual({
    PermissionRequest: [{ hooks: [asking()] }],
    Elicitation: [{ hooks: [asking()] }],
    SessionStart: [{ hooks: [command([], { timeout: 10 })] }],
    PostToolUse: [{ hooks: [command([], { timeout: 10, async: true })] }],
  });
});

test('a tool may be left to be decided later', () => {
  const { PreToolUse } = toOwnHooks({ ...PLAN, events: ['PreToolUse'], deferTools: 'Bash|Write' });
  expect(PreToolUse).toEqual([
    { matcher: 'Bash|Write', hooks: [command(['--timeout', '82800s', '--defer'], { timeout: 10 })] },
  ]);
});

test('a shared file has a command that does nothing where there is no Beckon', () => {
  const { Stop } = toOwnHooks({ ...PLAN, command: 'if command -v beckon; then exec {}; fi' });
  expect(Stop?.[0]?.hooks[0]?.command).toBe('if command -v beckon; then exec beckon hook claude-code; fi');
});

test('hooks that are there stay as they are; a second time changes nothing; taking away restores', () => {
  const once = mergeHooks(OTHERS, toOwnHooks(PLAN));
  expect(once['PermissionRequest']).toEqual([...OTHERS['PermissionRequest']!, { hooks: [asking([])] }]);
  expect(mergeHooks(once, toOwnHooks(PLAN))).toEqual(once);
  expect(removeOwnHooks(once)).toEqual({
    PermissionRequest: OTHERS['PermissionRequest'],
    PreToolUse: OTHERS['PreToolUse'],
  });
  expect(findOwnHooks(once).map(({ event }) => event)).toHaveLength(DEFAULT_EVENTS.length + 2);
});

test('a hook of ours that somebody put beside another is taken out of the group', () => {
  const other = { type: 'command', command: 'true' };
  const hooks: Hooks = { Stop: [{ matcher: '', hooks: [other, command([], {})] }] };
  expect(removeOwnHooks(hooks)).toEqual({ Stop: [{ matcher: '', hooks: [other] }] });
});

test('what is not as expected is left alone', () => {
  const odd = { Stop: 'nonsense', Setup: [null, { hooks: 'x' }] } as unknown as Hooks;
  expect(removeOwnHooks(odd)).toEqual(odd);
  expect(findOwnHooks(odd)).toEqual([]);
});

test('every event is known once', () => {
  expect(new Set(EVENTS).size).toBe(EVENTS.length);
  expect(EVENTS).toHaveLength(32);
  expect(DEFAULT_EVENTS.filter((event) => !EVENTS.includes(event))).toEqual([]);
});

function command(more: string[], fields: object) {
  const args = ['/opt/beckon/main.js', 'hook', 'claude-code', ...more];
  return { type: 'command', command: '/usr/bin/node', args, ...fields };
}

function asking(chat: string[] = ['--chat', 'ops']) {
  const statusMessage = 'Waiting for an answer, also in Beckon';
  return command(['--timeout', '82800s', ...chat], { timeout: 86_400, statusMessage });
}
