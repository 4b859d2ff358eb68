import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../open-store.ts';
import type { LogEvent } from '../protocol/events.ts';
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
    readLog: { value: (range: { after: number; limit: number }) => store.readLog(range) },
  }) as SqlStore;
  return { delayed, first };
}

test.each<[string, (first: PromiseWithResolvers<number>) => void]>([
  ['fails', (first) => first.reject(new Error('connection terminated'))],
  ['is answered', (first) => first.resolve(0)],
])('a start that %s late does not touch the one that came after it', async (_, settle) => {
  const { delayed, first } = delayFirst();
  const heard: number[] = [];
  const onEvents = async (events: readonly LogEvent[]): Promise<void> => {
    heard.push(...events.map(({ seq }) => seq));
  };
  const follower = new LogFollower({ store: delayed, onEvents, onError: () => undefined });
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
