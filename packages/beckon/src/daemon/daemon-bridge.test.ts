import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spoolHook } from '../bridge/spool.ts';
import { openStore } from '../open-store.ts';
import { createMetrics } from '../server/metrics.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { DaemonBridge } from './daemon-bridge.ts';

let folder: string;
let spool: string;
let store: SqlStore;
let bridge: DaemonBridge;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-daemon-bridge-'));
  spool = join(folder, 'spool');
  store = await openStore(`sqlite:${join(folder, 'beckon.db')}`);
  const logger = pino({ level: 'silent' });
  bridge = new DaemonBridge({ store, metrics: createMetrics(store), logger, options: { spool } });
});
afterEach(async () => {
  await bridge.stop();
  await store.close();
  rmSync(folder, { recursive: true });
});

test('a hook that was spooled while the daemon was starting comes before those that it is sent', async () => {
  spoolHook(spool, toHook('before'));
  await bridge.start();
  spoolHook(spool, toHook('while starting'));
  await bridge.accept();
  expect(await received()).toEqual(['before', 'while starting']);
  // By a command that had looked for the daemon a moment too early.
  spoolHook(spool, toHook('late'));
  await Promise.all(['sent', 'sent later'].map((id) => bridge.ports.sink.receive(toHook(id))));
  expect(await received()).toEqual(['before', 'while starting', 'late', 'sent', 'sent later']);
});

test('the log says when a session began and ended, whether its hooks were sent or spooled', async () => {
  spoolHook(spool, toHook('start', 'SessionStart'));
  await bridge.start();
  await bridge.ports.sink.receive(toHook('end', 'SessionEnd'));
  expect(await store.readLog({ after: 0, limit: 10 })).toMatchObject([
    { type: 'hook.received', hookId: 'start' },
    { type: 'session.started', sessionId: 'ses_1', conversationId: 'conversation-1' },
    { type: 'hook.received', hookId: 'end' },
    { type: 'session.ended', sessionId: 'ses_1' },
  ]);
});

function toHook(id: string, event = 'Stop') {
  const hook = { session_id: 'conversation-1', hook_event_name: event };
  return { id: id.replaceAll(' ', '-'), sessionId: 'ses_1', commandId: 'int_1', hook };
}

async function received(): Promise<string[]> {
  const events = await store.readLog({ after: 0, limit: 100 });
  return events.flatMap((event) => (event.type === 'hook.received' ? [event.hookId.replaceAll('-', ' ')] : []));
}
