import { afterEach, beforeEach, expect } from 'vitest';
import type { DestinationRecord } from '../../core/notify.ts';
import type { Store } from '../../core/store.ts';
import { Notify } from '../../notify/notify.ts';
import type { NotifyTools } from '../../notify/tools.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { FakeClock } from '../fake-clock.ts';
import { ADA, createDestination, createQuestion } from '../suites/samples.ts';
import { createSqliteDatabase, type TestDatabase } from './database.ts';
import { createNoticeRecorder, type NoticeRecorder } from './notice-recorder.ts';

/** When the clock of each test begins. */
export const NOTIFY_START = '2026-01-15T12:00:00.000Z';

/** A store with ada in it, who is told by a recorder, at a time that the test decides. */
export interface NotifyBench {
  readonly store: Store;
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  readonly phone: NoticeRecorder;
  readonly notify: Notify;
  /** Everything that was logged. */
  readonly logged: string[];
  /** One more, as another process has, on a store of its own. The caller stops it. */
  open(store: Store, tools?: Partial<NotifyTools>): Notify;
  /** Adds `dst_1`, `dst_2`, … of ada's. */
  add(changes?: Partial<DestinationRecord>): Promise<DestinationRecord>;
  ask(id: string, changes?: Partial<Interaction>): Promise<void>;
  answer(id: string): Promise<void>;
  /** Lets time pass, plans and sends, and says in short what was sent. */
  after(ms: number): Promise<string[]>;
  /** An instant from now on. */
  inMs(ms: number): string;
}

/** For each test around it a bench of its own. No test may leave a failure behind. */
export function useNotify(create: () => Promise<TestDatabase> = createSqliteDatabase): NotifyBench {
  let bench: NotifyBench;
  let errors: unknown[];

  beforeEach(async () => {
    errors = [];
    bench = await openBench(create, (error) => void errors.push(error));
  });

  afterEach(async () => {
    await bench.notify.stop();
    await bench.database.dispose();
    expect(errors).toEqual([]);
  });

  return new Proxy({} as NotifyBench, { get: (_, name) => bench[name as keyof NotifyBench] });
}

async function openBench(create: () => Promise<TestDatabase>, fail: (error: unknown) => void): Promise<NotifyBench> {
  const database = await create();
  const store = await database.open();
  const clock = new FakeClock(NOTIFY_START);
  const phone = createNoticeRecorder();
  const logged: string[] = [];
  await store.tokens.add({ id: 't', name: 'ada', role: 'admin', hash: 'h', createdAt: NOTIFY_START });
  const open = (on: Store, tools: Partial<NotifyTools> = {}): Notify =>
    new Notify(
      {
        store: on,
        senders: { ntfy: phone, email: phone },
        clock,
        toLink: (path) => `https://beckon.example${path}`,
        log: (level, message) => {
          logged.push(`${level}: ${message}`);
          if (message.startsWith('Cannot')) fail(new Error(message));
        },
        ...tools,
      },
      { newId: () => 'worker', onError: fail },
    );
  const notify = open(store);
  const inMs = (ms: number): string => new Date(clock.now() + ms).toISOString();
  return {
    store,
    database,
    clock,
    phone,
    notify,
    logged,
    open,
    inMs,
    add: async (changes = {}) => {
      const count = (await store.destinations.list()).length + 1;
      return store.destinations.add(createDestination({ id: `dst_${count}`, ...changes }));
    },
    ask: async (id, changes = {}) => {
      await store.ask(createQuestion({ id, createdAt: inMs(0), ...(changes as object) }));
    },
    answer: async (id) => {
      await store.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at: inMs(0) });
    },
    after: async (ms) => {
      clock.skip(ms);
      await notify.tick();
      return phone.take();
    },
  };
}
