import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookInput } from '../core/hooks.ts';
import { isLocked } from '../machine/lock-file.ts';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import {
  forgetDropped,
  hasSpooled,
  listSpools,
  measureSpool,
  SPOOL_LIMITS,
  spoolElsewhere,
  toSpoolFolder,
} from './elsewhere-spool.ts';
import { type SpoolSend, sendSpool, toSenderLock } from './send-spool.ts';

const TEAM = 'https://beckon.example.com/team';
const OTHER = 'https://beckon.example.com/other';
let root: string;
let folder: string;
let arrived: (string | undefined)[];
beforeEach(() => {
  root = createTemporaryFolder('beckon-elsewhere-');
  folder = toSpoolFolder(root, TEAM);
  arrived = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function spool(id: string, { at = 0, url = TEAM, text = '{}' } = {}): string | null {
  const hook = { hook_event_name: 'Stop' };
  return spoolElsewhere(root, url, { id, sessionId: 'ses-1', hook, text, at: new Date(1e12 + at).toISOString() });
}

const accept = async ({ id }: HookInput): Promise<SpoolSend> => {
  arrived.push(id);
  return { result: 'sent' };
};

describe('a spool for a Beckon elsewhere', () => {
  test('is measured without a look into its files, and knows its address', () => {
    expect(measureSpool(folder)).toEqual({ hooks: 0, bytes: 0, dropped: 0, bad: 0 });
    expect(hasSpooled(folder)).toBe(false);
    spool('a', { text: '{"a":"é"}' });
    spool('b');
    const { hooks, bytes } = measureSpool(folder);
    expect(hooks).toBe(2);
    expect(bytes).toBeGreaterThan(100);
    expect(hasSpooled(folder)).toBe(true);
    expect(listSpools(root)).toEqual([{ folder, url: TEAM }]);
  });

  test('is for this address only', async () => {
    spool('team');
    spool('other', { url: OTHER });
    expect(new Set(listSpools(root).map(({ url }) => url))).toEqual(new Set([TEAM, OTHER]));
    await sendSpool({ folder, send: accept, patienceMs: 0 });
    expect(arrived).toEqual(['team']);
    expect(hasSpooled(toSpoolFolder(root, OTHER))).toBe(true);
  });

  test('whose address was changed by hand is nobody’s', () => {
    spool('team');
    writeFileSync(join(folder, 'beckon.json'), JSON.stringify({ url: OTHER }));
    mkdirSync(join(root, 'stray'));
    expect(listSpools(root)).toEqual([]);
  });

  test('is full at its limit: what comes then is dropped, counted, and disturbs nothing', async () => {
    const text = JSON.stringify({ x: 'x'.repeat(SPOOL_LIMITS.bytes - 1000) });
    expect(spool('large', { text })).not.toBeNull();
    expect(spool('over', { text: JSON.stringify({ x: 'x'.repeat(2000) }) })).toBeNull();
    expect(spool('over too', { text: JSON.stringify({ x: 'x'.repeat(2000) }) })).toBeNull();
    expect(measureSpool(folder)).toMatchObject({ hooks: 1, dropped: 2 });
    await sendSpool({ folder, send: accept, patienceMs: 0 });
    expect(arrived).toEqual(['large']);
    expect(spool('room again')).not.toBeNull();
    forgetDropped(folder);
    expect(measureSpool(folder)).toMatchObject({ hooks: 1, dropped: 0 });
  });
});

describe('sending a spool', () => {
  test('happens in the order in which the hooks happened, whenever they were written', async () => {
    spool('second', { at: 2 });
    spool('first', { at: 1 });
    spool('third', { at: 3 });
    expect(await sendSpool({ folder, send: accept, patienceMs: 0 })).toEqual({ sent: 3, bad: [] });
    expect(arrived).toEqual(['first', 'second', 'third']);
    expect(existsSync(toSenderLock(folder))).toBe(false);
  });

  test('of nothing is nothing', async () => {
    expect(await sendSpool({ folder, send: accept, patienceMs: 0 })).toEqual({ sent: 0, bad: [] });
  });

  test('includes what is spooled meanwhile', async () => {
    spool('first');
    const send = async (hook: HookInput): Promise<SpoolSend> => {
      if (hook.id === 'first') spool('meanwhile', { at: 1 });
      return accept(hook);
    };
    await sendSpool({ folder, send, patienceMs: 0 });
    expect(arrived).toEqual(['first', 'meanwhile']);
  });

  test('waits for more, still as the only one, if it is told to', async () => {
    spool('first');
    const sending = sendSpool({ folder, send: accept, patienceMs: 0, lingerMs: 2000 });
    await expect.poll(() => arrived).toEqual(['first']);
    expect(isLocked(toSenderLock(folder))).toBe(true);
    spool('later', { at: 1 });
    await expect.poll(() => arrived).toEqual(['first', 'later']);
    expect(await sending).toEqual({ sent: 2, bad: [] });
  });

  test('stops at the first failure without patience, and loses nothing', async () => {
    for (const [at, id] of ['a', 'b', 'c'].entries()) spool(id, { at });
    const send = async (hook: HookInput): Promise<SpoolSend> =>
      hook.id === 'b' ? { result: 'again', why: 'no connection' } : accept(hook);
    expect(await sendSpool({ folder, send, patienceMs: 0 })).toEqual({ sent: 1, bad: [], fault: 'no connection' });
    await sendSpool({ folder, send: accept, patienceMs: 0 });
    expect(arrived).toEqual(['a', 'b', 'c']);
  });

  test('with patience tries again, and nothing overtakes what failed', async () => {
    for (const [at, id] of ['a', 'b', 'c'].entries()) spool(id, { at });
    let failures = 2;
    const send = async (hook: HookInput): Promise<SpoolSend> => {
      if (hook.id !== 'b' || failures === 0) return accept(hook);
      failures -= 1;
      return { result: 'again', why: 'no connection' };
    };
    expect(await sendSpool({ folder, send, patienceMs: 60_000 })).toEqual({ sent: 3, bad: [] });
    expect(arrived).toEqual(['a', 'b', 'c']);
  });

  test('stops when a person has to do something, whatever the patience', async () => {
    spool('a');
    const send = async (): Promise<SpoolSend> => ({ result: 'stop', why: 'log in again' });
    expect(await sendSpool({ folder, send, patienceMs: 60_000 })).toEqual({ sent: 0, bad: [], fault: 'log in again' });
    expect(measureSpool(folder).hooks).toBe(1);
  });

  test('sets aside what can never be sent, and goes on', async () => {
    spool('bad', { at: 1 });
    spool('good', { at: 3 });
    writeFileSync(join(folder, '0.5.hook'), 'torn');
    const send = async (hook: HookInput): Promise<SpoolSend> =>
      hook.id === 'bad' ? { result: 'never', why: 'HTTP 400' } : accept(hook);
    const { sent, bad } = (await sendSpool({ folder, send, patienceMs: 0 })) ?? {};
    expect(sent).toBe(1);
    expect(bad).toMatchObject([{ why: expect.stringMatching(/JSON/) }, { why: 'HTTP 400' }]);
    expect(measureSpool(folder)).toMatchObject({ hooks: 0, bad: 2 });
    expect(readdirSync(join(folder, 'bad'))).toHaveLength(2);
  });

  test('is left to the process that does it already', async () => {
    spool('a');
    writeFileSync(toSenderLock(folder), `${process.ppid}\n`);
    expect(await sendSpool({ folder, send: accept, patienceMs: 0 })).toBeNull();
    expect(arrived).toEqual([]);
    expect(await sendSpool({ folder, send: accept, patienceMs: 0, isUrgent: true })).toEqual({ sent: 1, bad: [] });
    expect(arrived).toEqual(['a']);
  });

  test('ends for a process that has lost the lock', async () => {
    spool('a', { at: 1 });
    spool('b', { at: 2 });
    const send = async (hook: HookInput): Promise<SpoolSend> => {
      writeFileSync(toSenderLock(folder), `${process.ppid}\n`);
      return accept(hook);
    };
    expect(await sendSpool({ folder, send, patienceMs: 0 })).toEqual({ sent: 1, bad: [] });
    expect(arrived).toEqual(['a']);
    expect(measureSpool(folder).hooks).toBe(1);
  });
});
