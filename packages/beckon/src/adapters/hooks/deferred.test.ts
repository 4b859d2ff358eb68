import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookContext } from '../../core/agent-hooks.ts';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { BASH, hook, QUESTIONS } from '../../testing/harness/claude-hooks.ts';
import { findPending, findSteps } from '../../testing/harness/find-pending.ts';
import { claudeCode } from './dialects/claude-code.ts';
import { HookEngine } from './hook-engine.ts';

let folder: string;
let beckon: Beckon;
let hooks: HookEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-deferred-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  hooks = new HookEngine({ dialect: claudeCode, beckon, graceMs: 0 });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

describe('a session that may end and come back', () => {
  const call = hook('PreToolUse', { tool_name: 'Bash', tool_input: BASH, tool_use_id: 'toolu_1' });

  test('is asked again if another call reuses the id', async () => {
    await send(call, { mayDefer: true });
    await answer(await findPending(beckon), { decision: 'allow' });
    const other = hook('PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf ~' },
      tool_use_id: 'toolu_1',
    });
    expect(await send(other, { mayDefer: true })).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'defer' },
    });
    expect(await findPending(beckon)).toMatchObject({ request: { input: { command: 'rm -rf ~' } } });
  });

  test('is deferred until there is an answer, which it finds when it is resumed', async () => {
    const defer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } };
    expect(await send(call, { mayDefer: true })).toEqual(defer);
    await send(hook('Stop'));
    await send(hook('SessionEnd'));
    expect(await send(call, { mayDefer: true })).toEqual(defer);
    await answer(await findPending(beckon), { decision: 'allow', updatedInput: { command: 'echo CHANGED' } });
    expect(await send(call, { mayDefer: true })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'echo CHANGED' },
      },
    });
  });

  test('has all its questions asked at once, and what was answered is kept until all are', async () => {
    const several = { ...call, tool_name: 'AskUserQuestion', tool_input: { questions: QUESTIONS } };
    expect(await send(several, { mayDefer: true })).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'defer' },
    });
    const [first, second] = await findSteps(beckon);
    await answer(second!, { text: 'Auth' });
    expect(await send(several, { mayDefer: true })).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'defer' },
    });
    await answer(first, { text: 'SQLite' });
    expect(await send(several, { mayDefer: true })).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'allow',
        updatedInput: {
          answers: { 'Which database should we use?': 'SQLite', 'Which features do you want to enable?': 'Auth' },
        },
      },
    });
    const cancelled = { ...several, tool_use_id: 'toolu_9' };
    await send(cancelled, { mayDefer: true });
    const open = await findSteps(beckon);
    await beckon.cancel({ id: open[1]!.id });
    expect(await send(cancelled, { mayDefer: true })).toEqual({});
    expect(await beckon.get(open[0].id)).toMatchObject({ status: 'superseded' });
    expect(await send({ ...several, tool_input: { questions: [] } }, { mayDefer: true })).toEqual({});
  });

  test('hears a no, and no opinion where nobody answered', async () => {
    await send(call, { mayDefer: true });
    await answer(await findPending(beckon), { decision: 'deny', message: 'No' });
    expect(await send(call, { mayDefer: true })).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'No' },
    });
    const other = { ...call, tool_use_id: 'toolu_2' };
    await send(other, { mayDefer: true });
    await beckon.cancel({ id: (await findPending(beckon)).id });
    expect(await send(other, { mayDefer: true })).toEqual({});
  });
});

function send(payload: JsonObject, more: Partial<HookContext> = {}): Promise<JsonObject> {
  const caller = { name: 'claude-code', role: 'agent' } as const;
  return hooks.handle(payload, { caller, signal: new AbortController().signal, ...more });
}

async function answer({ id }: Interaction, given: AnswerInput): Promise<void> {
  expect(await beckon.answer(id, given, { who: 'ana', via: 'inbox' })).toMatchObject({ result: 'accepted' });
}
