import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { findPending } from '../../testing/harness/find-pending.ts';
import { codex } from './dialects/codex.ts';
import { HookEngine } from './hook-engine.ts';

const SESSION = '01a1e371-d612-7c21-b155-83c1af1f3e88';
const ASK = {
  session_id: SESSION,
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};
const STOP = { session_id: SESSION, hook_event_name: 'Stop' };
let folder: string;
let beckon: Beckon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-engine-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test('a call that outlives its turn goes on waiting, and its answer counts', async () => {
  const engine = createEngine();
  const reply = send(engine, ASK);
  const { id } = await findPending(beckon);
  expect(await send(engine, STOP)).toEqual({});
  expect((await beckon.get(id))?.status).toBe('pending');
  await beckon.answer(id, { decision: 'allow' }, { who: 'ana', via: 'test' });
  expect(codex.isAllow(await reply)).toBe(true);
});

test('the end of a turn ends what no hook waits for any more, such as after a restart', async () => {
  const left = send(createEngine(), ASK, 'call-1');
  const { id } = await findPending(beckon);
  const after = createEngine();
  expect(await send(after, STOP)).toEqual({});
  expect((await beckon.get(id))?.status).toBe('superseded');
  expect(await left).toEqual({});
});

test('a session whose requests come another way is not asked for twice', async () => {
  const engine = createEngine((sessionId) => sessionId === SESSION);
  expect(await send(engine, ASK)).toEqual({});
  expect((await beckon.list()).items).toEqual([]);
  const reply = send(engine, { ...ASK, session_id: 'another' });
  const asked = await findPending(beckon);
  expect(asked).toMatchObject({ sessionId: 'another' });
  await beckon.supersede(asked.id, 'The test is over');
  expect(await reply).toEqual({});
});

function createEngine(isCovered?: (sessionId: string) => boolean): HookEngine {
  return new HookEngine({ dialect: codex, beckon, graceMs: 0, ...(isCovered && { isCovered }) });
}

function send(engine: HookEngine, hook: JsonObject, key?: string): Promise<JsonObject> {
  const { signal } = new AbortController();
  return engine.handle(hook, { caller: { name: 'codex', role: 'agent' }, signal, ...(key !== undefined && { key }) });
}
