import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spoolHook } from '../bridge/spool.ts';
import type { HookInput } from '../core/hooks.ts';
import { SpoolWatcher } from './spool-watcher.ts';

let folder: string;
let lines: string[];
let taken: (string | undefined)[];
let receive: (input: HookInput) => Promise<void>;
let watcher: SpoolWatcher;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-spool-watcher-'));
  lines = [];
  taken = [];
  receive = async ({ id }) => void taken.push(id);
  const logger = pino(
    { level: 'info' },
    { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  watcher = new SpoolWatcher({ folder, sink: { receive: (input) => receive(input) }, logger });
});
afterEach(async () => {
  await watcher.stop();
  rmSync(folder, { recursive: true });
});

test('a hook that is spooled during a look is taken in by the next one, which all who ask for it share', async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  receive = async ({ id }) => {
    taken.push(id);
    begun.resolve();
    await held.promise;
  };
  spool('first');
  const first = watcher.look();
  await begun.promise;
  spool('second');
  const second = watcher.look();
  expect(watcher.look()).toBe(second);
  expect(taken).toEqual(['first']);
  held.resolve();
  await first;
  await watcher.idle;
  expect(taken).toEqual(['first', 'second']);
});

test('a look that fails is logged, loses nothing, and the next one tries again', async () => {
  receive = () => Promise.reject(new Error('the store is away'));
  spool('first');
  await watcher.start();
  expect(lines).toEqual([expect.stringContaining('the spool cannot be taken in right now')]);
  expect(readdirSync(folder)).toHaveLength(1);
  receive = async ({ id }) => void taken.push(id);
  await watcher.look();
  expect(taken).toEqual(['first']);
  expect(readdirSync(folder)).toEqual([]);
});

function spool(id: string): void {
  spoolHook(folder, { id, sessionId: 'ses_1', commandId: 'int_1', hook: {} });
}
