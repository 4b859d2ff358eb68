import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Changes } from '../core/store.ts';
import { openStore } from '../open-store.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import { LogFollower } from './log-follower.ts';

let folder: string;
let store: SqlStore;
let other: SqlStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-follower-'));
  store = await openStore(`sqlite:${join(folder, 'beckon.db')}`);
  other = await openStore(`sqlite:${join(folder, 'beckon.db')}`);
});
afterEach(async () => {
  await store.close();
  await other.close();
  rmSync(folder, { recursive: true });
});

/** A store whose first answer to `lastSeq` waits until a test says what comes of it. */
function delayFirst(): { delayed: SqlStore; first: PromiseWithResolvers<number> } {
  const first = Promise.withResolvers<number>();
  let calls = 0;
  const delayed = Object.create(store, {
    lastSeq: { value: () => (calls++ === 0 ? first.promise : store.lastSeq()) },
    follow: { value: (onChange: () => void) => store.follow(onChange) },
    readChanges: { value: (range: { after: number; limit: number }) => store.readChanges(range) },
  }) as SqlStore;
  return { delayed, first };
}

test.each<[string, (first: PromiseWithResolvers<number>) => void]>([
  ['fails', (first) => first.reject(new Error('connection terminated'))],
  ['is answered', (first) => first.resolve(0)],
])('a start that %s late does not touch the one that came after it', async (_, settle) => {
  const { delayed, first } = delayFirst();
  const heard: number[] = [];
  const onChanges = async ({ lastSeq }: Changes): Promise<void> => {
    heard.push(lastSeq);
  };
  const follower = new LogFollower({ store: delayed, onChanges, onError: () => undefined });
  follower.hold();
  const late = follower.whenFollowing().catch(() => 'failed');
  follower.release();
  follower.hold();
  await follower.whenFollowing();
  await other.ask(createQuestion());
  await until(() => expect(heard).toEqual([1]));
  settle(first);
  await late;
  await other.ask(createQuestion());
  await until(() => expect(heard).toEqual([1, 2]));
  follower.release();
  await follower.close();
});

test('what is committed in the pause after many events is heard as well', async () => {
  const heard: number[] = [];
  const onChanges = async ({ lastSeq }: Changes): Promise<void> => {
    heard.push(lastSeq);
  };
  const follower = new LogFollower({ store, onChanges, onError: () => undefined });
  follower.hold();
  await follower.whenFollowing();
  await Promise.all(Array.from({ length: 60 }, () => other.ask(createQuestion())));
  await until(() => expect(heard).toEqual([60]));
  await other.ask(createQuestion());
  await until(() => expect(heard).toEqual([60, 61]));
  follower.release();
  await follower.close();
});

test('a start that nobody wants any more when it is answered does not count as following', async () => {
  const { delayed, first } = delayFirst();
  const follower = new LogFollower({ store: delayed, onChanges: async () => undefined, onError: () => undefined });
  follower.hold();
  const starting = follower.whenFollowing();
  follower.release();
  first.resolve(0);
  await starting;
  expect(follower.willHearAfter(0)).toBe(false);
  follower.hold();
  await follower.whenFollowing();
  expect(follower.willHearAfter(0)).toBe(true);
  follower.release();
  await follower.close();
});

test('what was committed before it started, or was handed over, is not still to be heard', async () => {
  await store.ask(createQuestion());
  const heard: number[] = [];
  const follower = new LogFollower({
    store,
    onError: () => undefined,
    onChanges: async ({ lastSeq }) => {
      // Also while they are worked on.
      heard.push(lastSeq);
      expect(follower.willHearAfter(1)).toBe(false);
    },
  });
  follower.hold();
  await follower.whenFollowing();
  expect([0, 1].map((seq) => follower.willHearAfter(seq))).toEqual([false, true]);
  await other.ask(createQuestion());
  await until(() => expect(heard).toEqual([2]));
  expect([1, 2].map((seq) => follower.willHearAfter(seq))).toEqual([false, true]);
  follower.release();
  await follower.close();
  expect(follower.willHearAfter(2)).toBe(false);
});
