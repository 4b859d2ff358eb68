import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HookContext } from '../../core/agent-hooks.ts';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { BASH, hook, permission } from '../../testing/harness/claude-hooks.ts';
import { findPending } from '../../testing/harness/find-pending.ts';
import { until } from '../../testing/suites/until.ts';
import { claudeCode } from './dialects/claude-code.ts';
import { HookEngine } from './hook-engine.ts';

// Two calls that do the same, without a key that tells them apart: one allow is for one of them.

const RAN = hook('PostToolUse', { tool_name: 'Bash', tool_input: BASH, tool_use_id: 'toolu_1' });
let folder: string;
let beckon: Beckon;
let hooks: HookEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-twins-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  hooks = new HookEngine({ dialect: claudeCode, beckon, graceMs: 0 });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test('one allow is for one of two twins', async () => {
  const twins = await sendTwins();
  await answer(await findPending(beckon), { decision: 'allow' });
  expect(toBehaviors([await Promise.race(twins)])).toEqual(['allow']);
  await answer(await findPending(beckon), { decision: 'deny' });
  expect(toBehaviors(await Promise.all(twins))).toEqual(['allow', 'deny']);
});

test('twins that were announced keep the ids of their calls, and one allow is for one of them', async () => {
  const call = { tool_name: 'Bash', tool_input: BASH };
  for (const tool_use_id of ['toolu_1', 'toolu_2']) await send(hook('PreToolUse', { ...call, tool_use_id }));
  const twins = await sendTwins();
  const { items: asked } = await beckon.list({ status: 'pending' });
  expect(new Set(asked.map(({ metadata }) => metadata?.['toolUseId']))).toEqual(new Set(['toolu_1', 'toolu_2']));
  for (const one of asked)
    await answer(one, { decision: one.metadata?.['toolUseId'] === 'toolu_1' ? 'allow' : 'deny', message: 'no' });
  expect(toBehaviors(await Promise.all(twins))).toEqual(['allow', 'deny']);
});

test('a twin that ran says nothing of the one that still waits', async () => {
  const twins = await sendTwins();
  await answer(await findPending(beckon), { decision: 'allow' });
  await Promise.race(twins);
  await send(RAN);
  const left = await findPending(beckon);
  expect(left.status).toBe('pending');
  // The second run was allowed in the terminal: nothing else can have run.
  await send(RAN);
  expect(await beckon.get(left.id)).toMatchObject({ status: 'answered', answeredBy: { via: 'terminal' } });
  await Promise.all(twins);
});

test('of twins that run after a yes in the terminal, each run settles one', async () => {
  const twins = await sendTwins();
  await send(RAN);
  expect((await beckon.list({ status: 'pending' })).items).toHaveLength(1);
  await send(RAN);
  expect(await Promise.all(twins)).toEqual([{}, {}]);
});

test('a hook without a name ends what was asked before a restart: an answer to that would reach nobody', async () => {
  const ended = new AbortController();
  const lost = send(permission('Bash', BASH), { signal: ended.signal });
  const orphan = await findPending(beckon);
  ended.abort(new BeckonError('closed', 'stopping'));
  await expect(lost).rejects.toMatchObject({ code: 'closed' });
  await until(() => expect(Date.now()).toBeGreaterThan(Date.parse(orphan.createdAt)));
  hooks = new HookEngine({ dialect: claudeCode, beckon });
  const again = send(permission('Bash', BASH));
  const asked = await until(async () => {
    const one = await findPending(beckon);
    expect(one.id).not.toBe(orphan.id);
    return one;
  });
  expect(await beckon.get(orphan.id)).toMatchObject({ status: 'superseded', reason: 'Claude Code asked again' });
  await answer(asked, { decision: 'allow' });
  expect(toBehaviors([await again])).toEqual(['allow']);
});

function send(payload: JsonObject, more: Partial<HookContext> = {}): Promise<JsonObject> {
  const caller = { name: 'claude-code', role: 'agent' } as const;
  return hooks.handle(payload, { caller, signal: new AbortController().signal, ...more });
}

/** Sends a permission twice, and waits until both are asked. */
async function sendTwins(): Promise<Promise<JsonObject>[]> {
  const twins = [send(permission('Bash', BASH)), send(permission('Bash', BASH))];
  await until(async () => expect((await beckon.list({ status: 'pending' })).items).toHaveLength(2));
  return twins;
}

async function answer({ id }: Interaction, given: AnswerInput): Promise<void> {
  expect(await beckon.answer(id, given, { who: 'ana', via: 'inbox' })).toMatchObject({ result: 'accepted' });
}

function toBehaviors(replies: readonly JsonObject[]): unknown[] {
  const behaviors = replies.map(
    ({ hookSpecificOutput: output }) => (output as { decision: { behavior: string } }).decision,
  );
  return behaviors.map(({ behavior }) => behavior).toSorted((one, other) => (one < other ? -1 : 1));
}
