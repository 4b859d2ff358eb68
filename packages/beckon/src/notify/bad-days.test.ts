import { describe, expect, test } from 'vitest';
import type { NoticeResult } from '../core/notify.ts';
import { ENGINES, useEngines } from '../testing/harness/database.ts';
import { useNotify } from '../testing/harness/use-notify.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const FAILED: NoticeResult = { result: 'failed', error: 'HTTP 503', retryAfterMs: 0 };

describe('a bad day', () => {
  const bench = useNotify();

  test('of one destination that hangs delays no other, and no more than two of its own are on their way', async () => {
    for (let count = 0; count < 5; count += 1) await bench.add();
    const hanging = Promise.withResolvers<NoticeResult>();
    bench.phone.answer = ({ destination: { id } }) => (id === 'dst_1' ? hanging.promise : { result: 'sent' });
    for (let index = 0; index < 4; index += 1) await bench.ask(`int_${index}`);
    const ticking = bench.notify.tick();
    const of = (id: string): number => bench.phone.notices.filter(({ destination }) => destination.id === id).length;
    await until(() => expect(['dst_2', 'dst_3', 'dst_4', 'dst_5'].map(of)).toEqual([4, 4, 4, 4]));
    expect(of('dst_1')).toBe(2);
    // The others go on.
    await bench.ask('int_late');
    void bench.notify.tick();
    await until(() => expect(['dst_2', 'dst_3', 'dst_4', 'dst_5'].map(of)).toEqual([5, 5, 5, 5]));
    expect(of('dst_1')).toBe(2);
    hanging.resolve(FAILED);
    await ticking;
  });

  test('of a hundred destinations that hang leaves room for those that work', async () => {
    for (const name of ['bob', 'carol', 'dave', 'eve', 'frank', 'grace']) {
      await bench.store.tokens.add({ id: name, name, role: 'person', hash: 'h', createdAt: bench.inMs(0) });
      for (let count = 0; count < 20; count += 1) await bench.add({ owner: name });
    }
    bench.phone.answer = () => FAILED;
    await bench.ask('int_1');
    await bench.after(0);
    const healthy = await bench.add();
    const hanging = Promise.withResolvers<NoticeResult>();
    bench.phone.answer = ({ destination: { id } }) => (id === healthy.id ? { result: 'sent' } : hanging.promise);
    bench.phone.take();
    await bench.ask('int_2');
    bench.clock.skip(MINUTE_MS);
    const ticking = bench.notify.tick();
    await until(() => expect(bench.phone.notices.length).toBeGreaterThanOrEqual(120 + 64));
    await bench.ask('int_3');
    void bench.notify.tick();
    await until(() => {
      const sent = bench.phone.notices.filter(({ destination }) => destination.id === healthy.id);
      expect(sent).toHaveLength(2);
    });
    hanging.resolve(FAILED);
    await ticking;
  });

  test('of a destination rests it as a whole, longer each time, and one success ends it', async () => {
    await bench.add();
    bench.phone.answer = () => FAILED;
    for (const id of ['int_1', 'int_2', 'int_3']) await bench.ask(id);
    expect(await bench.after(0)).toHaveLength(2);
    expect(await bench.store.destinations.find('dst_1')).toMatchObject({ problem: { error: 'HTTP 503' } });
    let attempts = 0;
    for (let minute = 0; minute < 60; minute += 1) attempts += (await bench.after(MINUTE_MS)).length;
    // One at a time, with pauses of up to ten minutes: not three requests each minute.
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThan(30);
    bench.phone.answer = () => ({ result: 'sent' });
    const sent = [...(await bench.after(10 * MINUTE_MS)), ...(await bench.after(10 * MINUTE_MS))];
    expect(sent.toSorted()).toEqual(['asked int_1 at dst_1', 'asked int_2 at dst_1', 'asked int_3 at dst_1']);
    expect((await bench.store.destinations.find('dst_1'))?.problem).toBeUndefined();
    expect(bench.logged.filter((line) => line.includes('dst_1'))).toEqual([
      expect.stringMatching(/^warn: Notices do not reach ntfy "phone" of ada \(dst_1\)/),
      expect.stringMatching(/^info: Notices reach ntfy "phone" of ada \(dst_1\) again/),
    ]);
    // Each attempt at a request is the same notice.
    const ids = bench.phone.notices.flatMap((notice) => (notice.what === 'asked' ? [notice.id] : []));
    expect(new Set(ids).size).toBe(3);
  });

  test('that a receiver wants to rest is respected', async () => {
    await bench.add();
    bench.phone.answer = () => ({ ...FAILED, retryAfterMs: 1_800_000 }) as NoticeResult;
    await bench.ask('int_1');
    await bench.after(0);
    bench.phone.answer = () => ({ result: 'sent' });
    bench.phone.take();
    expect(await bench.after(1_799_000)).toEqual([]);
    expect(await bench.after(1001)).toEqual(['asked int_1 at dst_1']);
  });

  test('that lasts is given up after more than a day, which the log says; it can be sent again', async () => {
    await bench.add();
    bench.phone.answer = () => FAILED;
    await bench.ask('int_1');
    const startedAt = bench.clock.now();
    let attempts = 0;
    let dead = 0;
    while (dead === 0) {
      attempts += (await bench.after(10 * MINUTE_MS)).length;
      dead = (await bench.store.destinations.counts()).get('dst_1')?.dead ?? 0;
      expect(bench.clock.now() - startedAt).toBeLessThan(60 * HOUR_MS);
    }
    expect(bench.clock.now() - startedAt).toBeGreaterThan(24 * HOUR_MS);
    expect(attempts).toBeGreaterThan(100);
    const log = await bench.store.readLog({ after: 1, limit: 9 });
    expect(log).toMatchObject([{ type: 'interaction.undeliverable', destination: 'dst_1', error: 'HTTP 503' }]);
    expect(await bench.after(HOUR_MS)).toEqual([]);
    bench.phone.answer = () => ({ result: 'sent' });
    await bench.store.notices.reviveDead({ destination: 'dst_1', at: bench.clock.now() });
    expect(await bench.after(HOUR_MS)).toEqual(['asked int_1 at dst_1']);
  });

  test('of one notice that is never accepted is a dead letter at once, and the next one arrives', async () => {
    await bench.add();
    bench.phone.answer = (notice) =>
      'interaction' in notice && notice.interaction?.id === 'int_1'
        ? { result: 'dead', error: 'HTTP 413' }
        : { result: 'sent' };
    await bench.ask('int_1');
    await bench.ask('int_2');
    expect((await bench.after(0)).toSorted()).toEqual(['asked int_1 at dst_1', 'asked int_2 at dst_1']);
    expect(await bench.after(HOUR_MS)).toEqual([]);
    expect(
      (await bench.store.notices.deliveries({ destination: 'dst_1', limit: 9 })).map(({ status }) => status),
    ).toEqual(['sent', 'dead']);
    // Nothing was shown, so nothing is closed.
    await bench.answer('int_1');
    expect(await bench.after(0)).toEqual([]);
  });

  test('with an outage over many requests ends in a digest, not in a notice for each', async () => {
    await bench.add();
    bench.phone.answer = () => FAILED;
    await bench.ask('int_0');
    await bench.after(0);
    for (let index = 1; index < 40; index += 1) await bench.ask(`int_${index}`);
    await bench.after(MINUTE_MS);
    bench.phone.answer = () => ({ result: 'sent' });
    bench.phone.take();
    const sent = [
      ...(await bench.after(HOUR_MS)),
      ...(await bench.after(MINUTE_MS)),
      ...(await bench.after(MINUTE_MS)),
    ];
    expect(sent.length).toBeLessThanOrEqual(4);
    expect(sent.at(-1)).toMatch(/^digest (40|3\d) at dst_1$/);
  });

  test('on which a request ends between the attempts closes what may have been shown', async () => {
    await bench.add();
    bench.phone.answer = () => ({ ...FAILED, error: 'no reply within 15 s' }) as NoticeResult;
    await bench.ask('int_1');
    await bench.after(0);
    await bench.answer('int_1');
    bench.phone.answer = () => ({ result: 'sent' });
    bench.phone.take();
    expect(await bench.after(HOUR_MS)).toEqual(['settled int_1 at dst_1']);
    expect(await bench.store.destinations.counts()).toEqual(new Map());
  });

  test('of a stop breaks off what hangs; the next process sends it again under the same id', async () => {
    await bench.add();
    bench.phone.answer = (_, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(FAILED)));
    await bench.ask('int_1');
    void bench.notify.tick();
    await until(() => expect(bench.phone.notices).toHaveLength(1));
    await bench.notify.stop();
    expect((await bench.store.destinations.find('dst_1'))?.problem).toBeUndefined();
    bench.phone.answer = () => ({ result: 'sent' });
    const next = bench.open(bench.store);
    await next.tick();
    const [first, second] = bench.phone.notices;
    expect([second?.id, second?.topic, second?.what]).toEqual([first?.id, first?.topic, first?.what]);
    await next.stop();
  });
});

describe('a clock', () => {
  const bench = useNotify();

  test('that jumps ahead tells early, once, and not again when it is set back', async () => {
    await bench.add({ when: { after: '10m', evenInSight: false } });
    await bench.ask('int_1');
    await bench.after(0);
    bench.clock.setTo(bench.inMs(86_400_000));
    expect(await bench.after(0)).toEqual(['asked int_1 at dst_1']);
    bench.clock.setTo(bench.inMs(-86_400_000));
    expect(await bench.after(HOUR_MS)).toEqual([]);
  });

  test('that was ahead when a request was planned holds nothing back for a day', async () => {
    await bench.add({ when: { after: '10m', evenInSight: false } });
    await bench.after(0);
    bench.clock.setTo(bench.inMs(86_400_000));
    await bench.ask('int_1');
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    bench.clock.setTo(bench.inMs(-86_400_000));
    await bench.ask('int_2');
    expect(await bench.after(MINUTE_MS)).toEqual(['asked int_1 at dst_1']);
    expect(await bench.after(10 * MINUTE_MS)).toEqual(['asked int_2 at dst_1']);
  });

  test('that was ahead when a destination failed does not silence it for a day', async () => {
    await bench.add();
    bench.clock.setTo(bench.inMs(86_400_000));
    bench.phone.answer = () => FAILED;
    await bench.ask('int_1');
    await bench.after(0);
    bench.phone.answer = () => ({ result: 'sent' });
    bench.phone.take();
    bench.clock.setTo(bench.inMs(-86_400_000));
    await bench.ask('int_2');
    expect((await bench.after(MINUTE_MS)).toSorted()).toEqual(['asked int_1 at dst_1', 'asked int_2 at dst_1']);
  });

  test('that was ahead gives nothing up that was hardly tried', async () => {
    await bench.add();
    bench.phone.answer = () => FAILED;
    await bench.ask('int_1');
    await bench.after(0);
    bench.clock.setTo(bench.inMs(30 * 86_400_000));
    await bench.after(0);
    expect(await bench.store.destinations.counts()).toEqual(new Map([['dst_1', { waiting: 1, dead: 0 }]]));
  });
});

const createDatabase = useEngines();

describe.each(ENGINES)('two nodes on %s', (engine) => {
  const bench = useNotify(() => createDatabase(engine));

  test('plan each request once, and tell each destination of it once', async () => {
    const destinations = 3;
    const requests = 40;
    for (let count = 0; count < destinations; count += 1) await bench.add({ kind: count === 0 ? 'ntfy' : 'email' });
    const other = bench.open(await bench.database.open());
    for (let index = 0; index < requests; index += 4) {
      const asks = [0, 1, 2, 3].map((more) => createQuestion({ id: `int_${index + more}`, createdAt: bench.inMs(0) }));
      await Promise.all(asks.map((question) => bench.store.ask(question)));
      await Promise.all([bench.notify.tick(), other.tick(), bench.notify.tick(), other.tick()]);
      // A minute later there is room for more single notices.
      bench.clock.skip(MINUTE_MS + 1);
    }
    const lines = bench.phone.take();
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.filter((line) => line.startsWith('asked'))).toHaveLength(destinations * requests);
    await other.stop();
  });
});
