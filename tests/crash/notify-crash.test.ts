import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TimePolicy } from '../../packages/beckon/src/protocol/time-policy.ts';
import {
  ENGINES,
  type Engine,
  type TestDatabase,
  useEngines,
} from '../../packages/beckon/src/testing/harness/database.ts';
import { startBackend, type TestBackend } from '../../packages/beckon/src/testing/harness/test-backend.ts';
import { createDestination } from '../../packages/beckon/src/testing/suites/samples.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { Child } from '../harness/child.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import type { NotifyAsked, NotifyTold } from './notify-child.ts';

const createDatabase = useEngines();
const LIVES = { sqlite: repeat(6), postgres: repeat(3) } as const;

interface Received {
  destination: string;
  what: string;
  id: string;
  topic: string;
  interactionId: string;
}

describe.each(ENGINES)('a process that tells people on %s', { timeout: soakTimeout(240_000) }, (engine: Engine) => {
  let database: TestDatabase;
  let receiver: TestBackend;
  const children: Child<NotifyTold>[] = [];
  const held: ServerResponse[] = [];

  beforeEach(async () => {
    database = await createDatabase(engine);
    receiver = await startBackend();
    const store = await database.open();
    const at = new Date().toISOString();
    await store.tokens.add({ id: 't', name: 'ada', role: 'person', hash: 'h', createdAt: at });
    for (const id of ['dst_1', 'dst_2']) {
      await store.destinations.add(createDestination({ id, createdAt: at, filter: { chats: ['default'] } }));
    }
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await receiver.close();
    await database.dispose();
  });

  async function start(...asked: NotifyAsked[]): Promise<Child<NotifyTold>> {
    const file = new URL('notify-child.ts', import.meta.url);
    const child = new Child<NotifyTold>(file, { store: database.url, receiver: receiver.url });
    children.push(child);
    await child.next('ready');
    for (const message of asked) child.tell(message);
    return child;
  }

  function received(what?: string): Received[] {
    return receiver.received
      .map(({ body }) => body as Received)
      .filter((one) => what === undefined || one.what === what);
  }

  /** From now on the receiver takes what it gets, and says nothing. */
  function hold(): void {
    receiver.reply = (_, response) => void held.push(response);
  }

  function letGo(): void {
    receiver.reply = (_, response) => response.end('{}');
  }

  test('that is killed after planning tells what it planned, once', async () => {
    const first = await start({ type: 'ask', ids: ['int_1'] });
    await first.next('asked');
    // Planned by the parent, in the place of a process that died right after it.
    const store = await database.open();
    const entries = ['dst_1', 'dst_2'].map((destination) => ({
      seq: 1,
      destination,
      lane: 'int_1',
      what: 'asked' as const,
      dueAt: Date.now(),
    }));
    expect(await store.notices.plan({ from: 0, upTo: 1, at: Date.now(), entries, settled: [] })).toBe(true);
    await first.kill();
    await start({ type: 'start' });
    await until(() => expect(received()).toHaveLength(2));
    await until(async () => expect(await store.destinations.counts()).toEqual(new Map()));
    expect(
      received()
        .map(({ what, destination }) => `${what} ${destination}`)
        .toSorted(),
    ).toEqual(['asked dst_1', 'asked dst_2']);
  });

  test('that is killed between sending and noting it repeats each notice once, with its id and topic', async () => {
    hold();
    const first = await start({ type: 'start' }, { type: 'ask', ids: ['int_1'] });
    await until(() => expect(received()).toHaveLength(2));
    await first.kill();
    letGo();
    await start({ type: 'start' });
    const store = await database.open();
    await until(() => expect(received()).toHaveLength(4));
    await until(async () => expect(await store.destinations.counts()).toEqual(new Map()));
    expect(received('asked')).toHaveLength(4);
    for (const [destination, notices] of Map.groupBy(received(), (one) => one.destination)) {
      expect([destination, new Set(notices.map(({ id, topic }) => `${id} ${topic}`)).size]).toEqual([destination, 1]);
    }
    const delivered = (await store.readLog({ after: 1, limit: 9 })).map(({ type }) => type);
    expect(delivered).toEqual(['interaction.delivered', 'interaction.delivered']);
  });

  test('that is killed while a request ends closes what it may have shown, and does not ask again', async () => {
    hold();
    const first = await start({ type: 'start' }, { type: 'ask', ids: ['int_1'] });
    await until(() => expect(received()).toHaveLength(2));
    first.tell({ type: 'answer', ids: ['int_1'] } satisfies NotifyAsked);
    await first.next('answered');
    await first.kill();
    letGo();
    await start({ type: 'start' });
    const store = await database.open();
    await until(() => expect(received('settled')).toHaveLength(2));
    await until(async () => expect(await store.destinations.counts()).toEqual(new Map()));
    expect(received('asked')).toHaveLength(2);
    expect(new Set(received().map(({ topic }) => topic)).size).toBe(1);
  });

  test('that is killed again and again tells everything, and repeats each at most once a kill', async () => {
    const random = new Random(useSeed());
    receiver.reply = (_, response) => void setTimeout(() => response.end('{}'), random.below(20));
    const store = await database.open();
    const asked: string[] = [];
    const kills = LIVES[engine];
    for (let life = 0; life < kills; life += 1) {
      // Each life tells destinations of its own, so that nobody has so many that a digest is better.
      const chatId = `life-${life}`;
      const at = new Date().toISOString();
      await store.tokens.add({ id: chatId, name: chatId, role: 'person', hash: 'h', createdAt: at });
      for (const name of ['one', 'other']) {
        const changes = { id: `dst_${life}_${name}`, owner: chatId, filter: { chats: [chatId] }, createdAt: at };
        await store.destinations.add(createDestination(changes));
      }
      const ids = [0, 1].map((index) => `int_${life}_${index}`);
      const child = await start({ type: 'start' }, { type: 'ask', ids, chatId });
      await child.next('asked');
      asked.push(...ids.flatMap((id) => [`${id} dst_${life}_one`, `${id} dst_${life}_other`]));
      await sleep(random.below(120));
      await child.kill();
    }
    letGo();
    await start({ type: 'start' });
    const told = (): Set<string> =>
      new Set(received('asked').map(({ interactionId, destination }) => `${interactionId} ${destination}`));
    await until(() => expect(told()).toEqual(new Set(asked)));
    await until(async () => expect(await store.destinations.counts()).toEqual(new Map()));
    const own = received('asked');
    const byNotice = Map.groupBy(own, ({ id }) => id);
    expect(byNotice.size).toBe(asked.length);
    for (const notices of byNotice.values()) {
      expect(new Set(notices.map(({ topic, destination }) => `${topic} ${destination}`)).size).toBe(1);
      // It may have been on its way at each kill since it was asked, because a life also sends what earlier ones left.
      const life = Number(notices[0]?.interactionId.split('_')[1]);
      expect(notices.length - 1).toBeLessThanOrEqual(kills - life);
    }
    const repeats = own.length - byNotice.size;
    console.log(`${engine}: ${JSON.stringify({ kills, notices: byNotice.size, repeats })}`);
  });

  test('that is killed while it reminds and passes on does each once, and tells each once under one id', async () => {
    const store = await database.open();
    const random = new Random(useSeed());
    const at = new Date().toISOString();
    await store.tokens.add({ id: 'bob', name: 'bob', role: 'person', hash: 'h', createdAt: at });
    const bobs = { id: 'dst_bob', owner: 'bob', filter: { chats: ['nothing'] }, createdAt: at };
    await store.destinations.add(createDestination(bobs));
    const times: TimePolicy = { remindAfter: '1ms', escalate: [{ after: '2ms', to: 'bob' }] };
    for (let life = 0; life < LIVES[engine] / 2; life += 1) {
      const ask = (node: string): NotifyAsked => {
        const ids = Array.from({ length: 20 }, (_, index) => `int_${life}_${node}_${index}`);
        return { type: 'ask', ids, chatId: 'quiet', times };
      };
      const [one, other] = await Promise.all([
        start({ type: 'fire' }, ask('one')),
        start({ type: 'fire' }, ask('other')),
      ]);
      await sleep(random.below(60));
      await Promise.all([one.kill(), other.kill()]);
    }
    await start({ type: 'start' }, { type: 'ask', ids: ['int_told'], times }, { type: 'fire' });
    await until(async () => expect(await store.get('int_told')).not.toBeNull());
    await until(async () => expect(await store.timers.nextAt()).toBeNull());
    const log = await store.readLog({ after: 0, limit: 999 });
    const asked = log.flatMap((event) => (event.type === 'interaction.requested' ? [event.interactionId] : []));
    const fired = log.flatMap((event) =>
      event.type === 'interaction.reminded' || event.type === 'interaction.escalated'
        ? [`${event.type} ${event.interactionId}`]
        : [],
    );
    expect(fired.toSorted()).toEqual(
      asked.flatMap((id) => [`interaction.reminded ${id}`, `interaction.escalated ${id}`]).toSorted(),
    );
    await until(() =>
      expect(
        received('reminded')
          .map(({ destination }) => destination)
          .toSorted(),
      ).toEqual(['dst_1', 'dst_2']),
    );
    await until(() => expect(received('escalated').length).toBeGreaterThan(0));
    expect(new Set(received('escalated').map(({ destination }) => destination))).toEqual(new Set(['dst_bob']));
    const told = received('escalated').map(({ id }) => id);
    expect(new Set(told).size).toBe(told.length);
  });
});
