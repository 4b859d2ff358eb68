import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import type { HookInput } from '../../core/hooks.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { BASH, hook, permission, SESSION } from '../../testing/harness/claude-hooks.ts';
import { until } from '../../testing/suites/until.ts';
import { claudeCode } from './dialects/claude-code.ts';
import { HookEngine } from './hook-engine.ts';

const RAN = hook('PostToolUse', { tool_name: 'Bash', tool_input: BASH, tool_use_id: 'toolu_1' });
const ENDED = hook('SessionEnd', { reason: 'other' });
const caller = { name: 'claude-code', role: 'agent' } as const;

let folder: string;
let beckon: Beckon;
let hooks: HookEngine;
let received: HookInput[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-observe-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  received = [];
  const sink = { receive: async (input: HookInput) => void received.push(input) };
  hooks = new HookEngine({ dialect: claudeCode, beckon, sink, graceMs: 60_000 });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test('a tool that ran while Beckon did not run was allowed in the terminal', async () => {
  const { asked, reply } = await ask();
  await hooks.observe(RAN, { caller, user: 'dev@laptop' });
  expect(await beckon.get(asked.id)).toMatchObject({
    status: 'answered',
    answer: { decision: 'allow' },
    answeredBy: { who: 'claude-code', via: 'terminal', claim: { who: 'dev@laptop' } },
  });
  expect(await reply).toEqual({});
});

test('a session that ended while Beckon did not run ends what it asked, without a grace', async () => {
  const { asked, reply } = await ask();
  await hooks.observe(ENDED, { caller });
  expect(await beckon.get(asked.id)).toMatchObject({ status: 'superseded', reason: 'The session ended' });
  expect(await reply).toEqual({});
});

test('what was asked later, by somebody else or not through a hook stays', async () => {
  const { asked, reply } = await ask();
  const request = { tool: 'Bash', input: BASH };
  const { id } = await beckon.ask({ kind: 'approval', request, sessionId: SESSION, askedBy: caller.name });
  for (const late of [RAN, ENDED]) {
    await hooks.observe(late, { caller, ageMs: 60_000 });
    await hooks.observe(late, { caller: { name: 'other', role: 'agent' } });
  }
  expect((await beckon.get(asked.id))?.status).toBe('pending');
  for (const report of [RAN, ENDED]) await hooks.observe(report, { caller });
  expect((await beckon.get(id))?.status).toBe('pending');
  await reply;
});

test('a hook that is only looked at is neither kept nor asked', async () => {
  await hooks.observe(permission('Bash', BASH), { caller });
  expect(received).toEqual([]);
  expect((await beckon.list()).items).toEqual([]);
  await expect(hooks.observe({ hook_event_name: 'Stop' }, { caller })).rejects.toMatchObject({ code: 'invalid_input' });
});

async function ask(): Promise<{ asked: Interaction; reply: Promise<JsonObject> }> {
  const reply = hooks.handle(permission('Bash', BASH), { caller, signal: new AbortController().signal });
  const asked = await until(async () => {
    const [item] = (await beckon.list({ status: 'pending' })).items;
    if (item === undefined) throw new Error('Nothing is pending');
    return item;
  });
  return { asked, reply };
}
