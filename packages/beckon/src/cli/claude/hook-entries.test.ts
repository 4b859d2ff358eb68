import { expect, test } from 'vitest';
import {
  DEFAULT_EVENTS,
  EVENTS,
  findOwnHooks,
  type Hooks,
  mergeHooks,
  removeOwnHooks,
  SHARED_COMMAND,
  toOwnHooks,
} from './hook-entries.ts';

const MAIN = '/opt/beckon/dist/cli/main.js';
const PATH = '/home/ana/.claude/settings.json';
const PLAN = { command: ['/usr/bin/node', MAIN], events: DEFAULT_EVENTS, timeoutSeconds: 82_800 };
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
  const { PreToolUse } = toOwnHooks({ ...PLAN, deferTools: 'Bash|Write' });
  expect(PreToolUse).toEqual([
    { matcher: 'Bash|Write', hooks: [command(['--timeout', '82800s', '--defer'], { timeout: 60 })] },
  ]);
});

test.each([
  ['Bash|Write', ['TodoWrite', 'Read', 'BashOutput'], ['Bash', 'Write']],
  ['Bash, Write', ['Read'], ['Bash', 'Write']],
  ['Bash|mcp__.*', ['Read', 'Write'], ['Bash', 'mcp__lab__ping']],
  ['^Bash$', ['BashOutput'], ['Bash']],
])(
  'tools beside those of %s are reported, where this is asked for, and none twice',
  (deferTools, reported, deferred) => {
    const [, report] = toOwnHooks({ ...PLAN, events: ['PreToolUse'], deferTools })['PreToolUse'] ?? [];
    expect(report?.hooks).toEqual([command([], { timeout: 10, async: true })]);
    const matcher = new RegExp(report?.matcher ?? '');
    expect([...reported, ...deferred].filter((tool) => matcher.test(tool))).toEqual(reported);
  },
);

test('where all tools may be left, none is beside them', () => {
  const { PreToolUse } = toOwnHooks({ ...PLAN, events: ['PreToolUse'], deferTools: '*' });
  expect(PreToolUse).toMatchObject([{ matcher: '*' }]);
});

test('a shared file has a command that does nothing where there is no Beckon', () => {
  const { Stop } = toOwnHooks({ ...PLAN, command: 'if command -v beckon; then exec {}; fi' });
  expect(Stop?.[0]?.hooks[0]?.command).toBe('if command -v beckon; then exec beckon hook claude-code; fi');
});

test('hooks that are there stay as they are; a second time changes nothing; taking away restores', () => {
  const once = mergeHooks(OTHERS, toOwnHooks(PLAN), PATH);
  expect(once['PermissionRequest']).toEqual([...OTHERS['PermissionRequest']!, { hooks: [asking([])] }]);
  expect(mergeHooks(once, toOwnHooks(PLAN), PATH)).toEqual(once);
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

test.each([
  ['the built program', { ...PLAN, deferTools: 'Bash', chatId: 'ana@home' }],
  ['the sources', { ...PLAN, command: ['/usr/bin/node', '/src/beckon/src/cli/main.ts'] }],
  ['Windows', { ...PLAN, command: ['C:\\node.exe', 'C:\\beckon\\dist\\cli\\main.js'] }],
  ['a shared file', { ...PLAN, command: SHARED_COMMAND, deferTools: 'Bash', chatId: '-100123' }],
])('every hook that install writes is known again: %s', (_, plan) => {
  expect(removeOwnHooks(toOwnHooks({ ...plan, events: EVENTS }))).toEqual({});
});

test.each([
  { command: 'othertool', args: ['hook', 'claude-code'] },
  { command: '/usr/bin/node', args: ['/opt/othertool/main.js', 'hook', 'claude-code'] },
  { command: '/usr/bin/node', args: [MAIN, 'ask', 'hook', 'claude-code'] },
  { command: 'tee -a ~/hooks.log | beckon hook claude-code --chat ops; ./notify.sh' },
  { command: SHARED_COMMAND.replace('{}', 'beckon hook claude-code;./notify.sh') },
  { command: `${SHARED_COMMAND.replace('{}', 'beckon hook claude-code')}; ./notify.sh` },
])('a hook that does something else too, or is of another program, is not ours: %j', (fields) => {
  const hooks: Hooks = { Stop: [{ hooks: [{ type: 'command', ...fields }] }] };
  expect(findOwnHooks(hooks)).toEqual([]);
  expect(removeOwnHooks(hooks)).toEqual(hooks);
});

test.each(['nonsense', { matcher: '' }, null])('hooks are not added to what is no list: %j', (odd) => {
  const hooks = { Stop: odd } as unknown as Hooks;
  const merge = (): Hooks => mergeHooks(hooks, toOwnHooks(PLAN), PATH);
  expect(merge).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  expect(merge).toThrow(`${PATH} has hooks of "Stop" that are not a list`);
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
  const args = [MAIN, 'hook', 'claude-code', ...more];
  return { type: 'command', command: '/usr/bin/node', args, ...fields };
}

function asking(chat: string[] = ['--chat', 'ops']) {
  const statusMessage = 'Waiting for an answer, also in Beckon';
  return command(['--timeout', '82800s', ...chat], { timeout: 86_400, statusMessage });
}
