import { describe, expect, test } from 'vitest';
import { useNotify } from '../testing/harness/use-notify.ts';
import { createQuestion } from '../testing/suites/samples.ts';

const MINUTE_MS = 60_000;
const bench = useNotify();

async function askMany(count: number, prefix = 'int_'): Promise<void> {
  const createdAt = bench.inMs(0);
  const asks = Array.from({ length: count }, (_, index) => createQuestion({ id: `${prefix}${index}`, createdAt }));
  await Promise.all(asks.map((question) => bench.store.ask(question)));
}

describe('10,000 requests in a minute', () => {
  test('that come at once are one digest for each destination', { timeout: 240_000 }, async () => {
    for (let count = 0; count < 3; count += 1) await bench.add();
    await askMany(10_000);
    const sent = [...(await bench.after(0)), ...(await bench.after(MINUTE_MS)), ...(await bench.after(MINUTE_MS))];
    expect(sent.toSorted()).toEqual(['digest 10000 at dst_1', 'digest 10000 at dst_2', 'digest 10000 at dst_3']);
    expect(await bench.after(10 * MINUTE_MS)).toEqual([]);
  });

  test('that come one after another are a few notices, then one digest', { timeout: 240_000 }, async () => {
    await bench.add();
    const sent: string[] = [];
    // 100 every 600 ms, for a minute.
    for (let turn = 0; turn < 100; turn += 1) {
      await askMany(100, `int_${turn}_`);
      sent.push(...(await bench.after(turn === 0 ? 0 : 600)));
    }
    sent.push(...(await bench.after(MINUTE_MS)), ...(await bench.after(MINUTE_MS)));
    expect(sent).toEqual(['digest 10000 at dst_1']);
    const { waiting } = (await bench.store.destinations.counts()).get('dst_1') ?? { waiting: 0 };
    expect(waiting).toBe(1); // What closes the digest.
  });
});

describe('a digest', () => {
  test('follows five single notices, and says how many wait by then', async () => {
    await bench.add();
    await askMany(5);
    expect(await bench.after(0)).toHaveLength(5);
    await askMany(3, 'late_');
    expect(await bench.after(1000)).toEqual([]);
    for (const id of ['int_0', 'late_0']) await bench.answer(id);
    expect(await bench.after(1000)).toEqual(['settled int_0 at dst_1']);
    expect(await bench.after(MINUTE_MS)).toEqual(['digest 6 at dst_1']);
  });

  test('has headlines only if content may leave', async () => {
    await bench.add({ content: 'headline' });
    await bench.add({ content: 'link' });
    await askMany(20);
    await bench.after(0);
    await bench.after(MINUTE_MS);
    const [one, other] = bench.phone.notices.toSorted((a, b) => a.destination.id.localeCompare(b.destination.id));
    expect(one).toMatchObject({ what: 'digest', count: 20, headlines: Array(5).fill('Which database?') });
    expect(other).toMatchObject({ what: 'digest', count: 20, headlines: [] });
    expect(one?.topic).toBe(other?.topic);
  });

  test('counts what its destination may hear of', async () => {
    await bench.store.tokens.add({
      id: 't2',
      name: 'bob',
      role: 'person',
      chatId: 'team',
      hash: 'h',
      createdAt: bench.inMs(0),
    });
    await bench.add({ filter: { chats: ['team'] } });
    await bench.add({ owner: 'bob' });
    await bench.add({ filter: { projects: ['shop'] } });
    for (let index = 0; index < 24; index += 1) {
      const chatId = index % 2 === 0 ? 'team' : 'other';
      await bench.ask(`int_${index}`, { chatId, ...(index % 3 === 0 && { context: { project: 'shop' } }) });
    }
    await bench.after(0);
    expect((await bench.after(MINUTE_MS)).toSorted()).toEqual([
      'digest 12 at dst_1',
      'digest 12 at dst_2',
      'digest 8 at dst_3',
    ]);
  });

  test('is closed when nothing is left, and not sent if nothing is left by then', async () => {
    await bench.add();
    await askMany(6);
    await bench.after(0);
    expect(await bench.after(MINUTE_MS)).toEqual(['digest 6 at dst_1']);
    for (let index = 0; index < 5; index += 1) await bench.answer(`int_${index}`);
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    await bench.answer('int_5');
    expect(await bench.after(MINUTE_MS)).toEqual(['digest 0 at dst_1']);
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    await askMany(6, 'more_');
    await bench.after(MINUTE_MS);
    for (let index = 0; index < 6; index += 1) await bench.answer(`more_${index}`);
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    expect(await bench.store.destinations.counts()).toEqual(new Map());
  });

  test('comes no more than once a minute while the flood lasts; then each is told by itself again', async () => {
    await bench.add();
    const sent: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      await askMany(10, `int_${turn}_`);
      sent.push(...(await bench.after(10_000)));
    }
    expect(sent).toHaveLength(4);
    expect(sent.every((line) => line.startsWith('digest'))).toBe(true);
    // What came after the last digest has its own.
    expect(await bench.after(MINUTE_MS)).toEqual(['digest 300 at dst_1']);
    await bench.after(2 * MINUTE_MS);
    await bench.ask('int_last');
    expect(await bench.after(0)).toEqual(['asked int_last at dst_1']);
  });

  test('stands for what waited until quiet hours ended, and waits for their end itself', async () => {
    const quiet = { from: '11:00', to: '14:00', timeZone: 'UTC' };
    await bench.add({ when: { after: 0, quiet, evenInSight: false } });
    await askMany(30);
    expect(await bench.after(2 * 3_600_000 - 1)).toEqual([]);
    expect(await bench.after(1)).toEqual([]);
    expect(await bench.after(MINUTE_MS)).toEqual(['digest 30 at dst_1']);
    clockTo('2026-01-16T10:59:30.000Z');
    await askMany(30, 'more_');
    expect(await bench.after(0)).toEqual([]);
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    clockTo('2026-01-16T14:00:00.000Z');
    expect(await bench.after(0)).toEqual(['digest 60 at dst_1']);
  });
});

function clockTo(instant: string): void {
  bench.clock.skip(Date.parse(instant) - bench.clock.now());
}
