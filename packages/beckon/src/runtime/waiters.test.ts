import { getEventListeners } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Watcher } from '../core/beckon.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { Waiters } from './waiters.ts';

const settled: Interaction = { ...createQuestion({ id: 'a' }), status: 'cancelled' };

let turns: string[];
let waiters: Waiters;

beforeEach(() => {
  turns = [];
  waiters = new Waiters({ onFirst: () => turns.push('first'), onNone: () => turns.push('none') });
});

test('everybody who waits for an id is told, and nobody else', async () => {
  const here = [waiters.add('a', {}), waiters.add('a', { timeoutMs: 60_000 })];
  const elsewhere = waiters.add('b', {});
  waiters.settle(settled);
  expect(await Promise.all(here)).toEqual([settled, settled]);
  expect([waiters.has('a'), waiters.has('b')]).toEqual([false, true]);
  waiters.fail('b', new Error('gone'));
  await expect(elsewhere).rejects.toThrow('gone');
});

test('the first to wait and the end of all waiting are told, once each', async () => {
  const one = waiters.add('a', {});
  const two = waiters.add('b', {});
  expect(turns).toEqual(['first']);
  waiters.settle(settled);
  expect(turns).toEqual(['first']);
  waiters.fail('b', new Error('gone'));
  expect(turns).toEqual(['first', 'none']);
  await Promise.allSettled([one, two]);
  waiters.settle(settled);
  waiters.fail('nobody', new Error('gone'));
  expect(turns).toEqual(['first', 'none']);
});

test('a waiter that aborts or times out leaves the others, and the last one leaves nothing', async () => {
  const aborting = new AbortController();
  const aborted = waiters.add('a', { signal: aborting.signal, timeoutMs: 60_000 });
  const timedOut = waiters.add('a', { timeoutMs: 1 });
  const plain = waiters.add('a', {});
  aborting.abort(new Error('left'));
  await expect(aborted).rejects.toThrow('left');
  await expect(timedOut).rejects.toMatchObject({ code: 'wait_timed_out' });
  expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
  expect(waiters.has('a')).toBe(true);
  waiters.settle(settled);
  expect(await plain).toEqual(settled);
  expect(waiters.has('a')).toBe(false);
  expect(turns).toEqual(['first', 'none']);
});

test('waiters of one id leave in any order, without looking for each other', () => {
  let looks = 0;
  const watchers = Array.from({ length: 1000 }, (_, index): Watcher => {
    let next: Watcher | undefined;
    return {
      resolve: () => turns.push(`told ${index}`),
      reject: () => undefined,
      get next() {
        looks += 1;
        return next;
      },
      set next(other) {
        next = other;
      },
      previous: undefined,
    };
  });
  for (const watcher of watchers) waiters.attach('a', watcher);
  const staying = new Set([0, 1, 500, 501, 998]);
  for (const [index, watcher] of watchers.entries()) if (!staying.has(index)) waiters.remove('a', watcher);
  for (const index of [1, 501, 1]) waiters.remove('a', watchers[index]!);
  expect(looks).toBeLessThan(2 * watchers.length);
  waiters.settle(settled);
  expect(turns).toEqual(['first', 'none', 'told 998', 'told 500', 'told 0']);
  waiters.remove('a', watchers[0]!);
  expect(turns.filter((turn) => turn === 'none')).toHaveLength(1);
});

test('the end of all waits reaches everybody', async () => {
  const waiting = [waiters.add('a', {}), waiters.add('b', { timeoutMs: 60_000 }), waiters.add('b', {})];
  const ended = waiting.map((one) => expect(one).rejects.toThrow('closed'));
  waiters.failAll(new Error('closed'));
  await Promise.all(ended);
  expect([waiters.has('a'), waiters.has('b')]).toEqual([false, false]);
  expect(turns).toEqual(['first', 'none']);
});

test('a wait that is longer than a timer of Node ends after its time, not at once', async () => {
  vi.useFakeTimers();
  try {
    const day = 86_400_000;
    let ended: unknown;
    waiters.add('a', { timeoutMs: 60 * day }).catch((error: unknown) => {
      ended = error;
    });
    await vi.advanceTimersByTimeAsync(60 * day - 1);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toMatchObject({ code: 'wait_timed_out' });
    waiters.settle(settled);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a settled wait takes its timer back', async () => {
  vi.useFakeTimers();
  try {
    const waiting = waiters.add('a', { timeoutMs: 60_000 });
    expect(vi.getTimerCount()).toBe(1);
    waiters.settle(settled);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
