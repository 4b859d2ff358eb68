import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import type { HookInput } from '../../core/hooks.ts';
import { openBeckon } from '../../open-beckon.ts';
import { codex } from './dialects/codex.ts';
import { HookEngine } from './hook-engine.ts';

let folder: string;
let beckon: Beckon;
let received: HookInput[];
let hooks: HookEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-covered-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  received = [];
  hooks = new HookEngine({
    dialect: codex,
    beckon,
    sink: { receive: async (input) => void received.push(input) },
    isCovered: (sessionId) => sessionId === 'shared',
  });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['shared', 0],
  ['alone', 1],
])('of the session "%s", %i requests come by hook: what reaches Beckon another way is asked once', async (id, asks) => {
  const hook = {
    session_id: id,
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  };
  const context = { caller: { name: 'codex', role: 'agent' }, signal: new AbortController().signal } as const;
  expect(await hooks.handle(hook, { ...context, timeout: 0.01 })).toEqual({});
  expect((await beckon.list()).items).toHaveLength(asks);
  expect(received).toMatchObject([{ sessionId: id, hook }]);
});
