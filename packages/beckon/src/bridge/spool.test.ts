import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HookInput, HookSink } from '../core/hooks.ts';
import { BeckonError } from '../protocol/errors.ts';
import { spoolHook, takeInSpool } from './spool.ts';

let home: string;
let folder: string;
let received: HookInput[];

/** Keeps what it gets, and refuses what has no session, as the real one does. */
const sink: HookSink = {
  receive: async (input) => {
    if (typeof input.sessionId !== 'string') throw new BeckonError('invalid_input', 'no session');
    received.push(input);
  },
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'beckon-spool-'));
  folder = join(home, 'spool');
  received = [];
});
afterEach(() => rmSync(home, { recursive: true }));

test('hooks are taken in as they were, in their order, and their files are gone', async () => {
  const ids = Array.from({ length: 450 }, (_, turn) =>
    spoolHook(folder, { sessionId: 'ses_1', commandId: 'int_1', hook: { turn } }),
  );
  expect(await takeInSpool(folder, sink)).toEqual({ taken: 450, bad: [] });
  expect(received.map(({ id }) => id)).toEqual(ids);
  expect(received.map(({ hook }) => hook['turn'])).toEqual(ids.map((_, turn) => turn));
  expect(received[0]).toEqual({
    id: ids[0],
    sessionId: 'ses_1',
    commandId: 'int_1',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    hook: { turn: 0 },
    text: '{"turn":0}',
  });
  expect(readdirSync(folder)).toEqual([]);
  expect(await takeInSpool(folder, sink)).toEqual({ taken: 0, bad: [] });
});

test('a hook that was taken in is told before its file is gone, and again where that failed', async () => {
  const ids = [1, 2].map((turn) => spoolHook(folder, { sessionId: 'ses_1', commandId: 'int_1', hook: { turn } }));
  const told: unknown[] = [];
  const onTaken = async (hooks: readonly HookInput[]): Promise<void> => {
    told.push([hooks.map(({ id }) => id), received.length, readdirSync(folder).length]);
    if (told.length === 1) throw new BeckonError('store_busy', 'just now');
  };
  await expect(takeInSpool(folder, sink, onTaken)).rejects.toMatchObject({ code: 'store_busy' });
  expect(await takeInSpool(folder, sink, onTaken)).toEqual({ taken: 2, bad: [] });
  expect(told).toEqual([
    [ids, 2, 2],
    [ids, 4, 2],
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a hook happened when its command was started', async () => {
  spoolHook(folder, { sessionId: 'ses_1', commandId: 'int_1', hook: {} });
  await takeInSpool(folder, sink);
  expect(received[0]?.at).toBe(new Date(performance.timeOrigin).toISOString());
});

test('the text of a hook stays to the letter', async () => {
  const text = '{"big":12345678901234567890,\n "text":"a\\u0000b 👋"}';
  spoolHook(folder, {
    id: 'hook_x',
    at: '2026-01-01T00:00:00.000Z',
    sessionId: 's',
    commandId: 'i',
    hook: {},
    text,
  });
  await takeInSpool(folder, sink);
  expect(received).toMatchObject([{ id: 'hook_x', at: '2026-01-01T00:00:00.000Z', text }]);
});

test('the folder and its files are for this user alone', () => {
  spoolHook(folder, { sessionId: 's', commandId: 'i', hook: {} });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('no folder is no fault', async () => {
  expect(await takeInSpool(folder, sink)).toEqual({ taken: 0, bad: [] });
});

test('a file that is no hook is set aside and told of, and the others go on', async () => {
  spoolHook(folder, { sessionId: 's', commandId: 'i', hook: { turn: 1 } });
  writeFileSync(join(folder, '0000.hook'), 'cut off');
  writeFileSync(join(folder, '0001.hook'), '{"id":"hook_1"}\n{}\n');
  writeFileSync(join(folder, '0002.new'), 'half written, by somebody who was killed');
  const report = await takeInSpool(folder, sink);
  expect(report.taken).toBe(1);
  expect(report.bad.map(({ path }) => path)).toEqual([
    join(folder, 'bad', '0000.hook'),
    join(folder, 'bad', '0001.hook'),
  ]);
  expect(readFileSync(join(folder, 'bad', '0000.hook'), 'utf8')).toBe('cut off');
  expect(received).toMatchObject([{ hook: { turn: 1 } }]);
});

test('while the store cannot keep them, the files stay', async () => {
  spoolHook(folder, { sessionId: 's', commandId: 'i', hook: {} });
  const busy: HookSink = { receive: () => Promise.reject(new BeckonError('store_busy', 'busy')) };
  await expect(takeInSpool(folder, busy)).rejects.toMatchObject({ code: 'store_busy' });
  expect(await takeInSpool(folder, sink)).toEqual({ taken: 1, bad: [] });
});

test('what a hook command left half-written is deleted after an hour, and taken in where it is whole', async () => {
  spoolHook(folder, { id: 'hook_whole', sessionId: 's', commandId: 'i', hook: { turn: 1 } });
  const [whole = ''] = readdirSync(folder);
  const paths = ['whole', 'half', 'fresh'].map((name) => join(folder, `${name}.new`));
  const [asNew = '', half = '', fresh = ''] = paths;
  renameSync(join(folder, whole), asNew);
  writeFileSync(half, readFileSync(asNew, 'utf8').slice(0, -6));
  writeFileSync(fresh, '');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  for (const path of [asNew, half]) utimesSync(path, twoHoursAgo, twoHoursAgo);
  expect(await takeInSpool(folder, sink)).toEqual({ taken: 1, bad: [] });
  expect(received).toMatchObject([{ id: 'hook_whole', hook: { turn: 1 } }]);
  expect(readdirSync(folder)).toEqual(['fresh.new']);
});
