import { describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { TimePolicy } from '../protocol/time-policy.ts';
import { useNotify } from '../testing/harness/use-notify.ts';
import { createQuestion } from '../testing/suites/samples.ts';

const MINUTE_MS = 60_000;
const bench = useNotify();

async function ask(id: string, times: TimePolicy, changes: Partial<Interaction> = {}): Promise<void> {
  await bench.store.ask(createQuestion({ id, createdAt: bench.inMs(0), ...(changes as object) }), undefined, times);
}

/** Lets time pass, and does what is due by then, as a daemon does. */
async function after(ms: number): Promise<string[]> {
  bench.clock.skip(ms);
  await bench.store.timers.fire({ at: bench.inMs(0), limit: 999 });
  return bench.after(0);
}

async function addPerson(name: string, chatId?: string): Promise<void> {
  const caller = { id: name, name, role: 'person' as const, hash: 'h', createdAt: bench.inMs(0) };
  await bench.store.tokens.add({ ...caller, ...(chatId !== undefined && { chatId }) });
}

/** Bob hears of nothing by himself. */
function addBobs(changes: object = {}) {
  return bench.add({ owner: 'bob', filter: { chats: ['nothing'] }, ...changes });
}

describe('a reminder', () => {
  test('tells those who were told once more, in place of the first copy', async () => {
    await bench.add();
    await ask('int_1', { remindAfter: '5m' });
    expect(await after(0)).toEqual(['asked int_1 at dst_1']);
    expect(await after(5 * MINUTE_MS)).toEqual(['reminded int_1 at dst_1']);
    expect(new Set(bench.phone.notices.map(({ topic }) => topic)).size).toBe(1);
    expect(await after(60 * MINUTE_MS)).toEqual([]);
    await bench.answer('int_1');
    expect(await after(0)).toEqual(['settled int_1 at dst_1']);
  });

  test('waits for the end of quiet hours, and comes to nobody if it was answered by then', async () => {
    const quiet = { from: '12:04', to: '14:00', timeZone: 'UTC' };
    await bench.add({ when: { after: 0, quiet, evenInSight: false } });
    for (const id of ['int_1', 'int_2']) await ask(id, { remindAfter: '5m' });
    expect(await after(0)).toHaveLength(2);
    expect(await after(5 * MINUTE_MS)).toEqual([]);
    await bench.answer('int_2');
    expect(await after(0)).toEqual(['settled int_2 at dst_1']);
    expect(await after(115 * MINUTE_MS - 1)).toEqual([]);
    expect(await after(1)).toEqual(['reminded int_1 at dst_1']);
  });
});

describe('a request that is passed on', () => {
  test('reaches all destinations of the person who is named, and their copies are closed like all others', async () => {
    await addPerson('bob');
    await bench.add();
    await addBobs();
    await addBobs({ kind: 'email' });
    await ask('int_1', { escalate: [{ after: '10m', to: 'bob' }] });
    expect(await after(0)).toEqual(['asked int_1 at dst_1']);
    expect((await after(10 * MINUTE_MS)).toSorted()).toEqual(['escalated int_1 at dst_2', 'escalated int_1 at dst_3']);
    await bench.answer('int_1');
    expect((await after(0)).toSorted()).toEqual([
      'settled int_1 at dst_1',
      'settled int_1 at dst_2',
      'settled int_1 at dst_3',
    ]);
  });

  test('reaches none of the webhooks of a person', async () => {
    const hook = await bench.add({ kind: 'webhook', filter: { types: ['session.*'] } });
    await bench.add({ filter: { chats: ['nothing'] } });
    await ask('int_1', { escalate: [{ after: 1, to: 'ada' }] });
    expect(await after(1000)).toEqual(['escalated int_1 at dst_2']);
    expect((await bench.store.destinations.counts()).get(hook.id)).toBeUndefined();
  });

  test('reaches one destination if that is named', async () => {
    await addPerson('bob');
    await addBobs();
    await addBobs();
    await ask('int_1', { escalate: [{ after: 1, to: 'dst_2' }] });
    expect(await after(1000)).toEqual(['escalated int_1 at dst_2']);
  });

  test('reaches nobody who may not answer it, and the log says so', async () => {
    await addPerson('bob', 'another');
    await addBobs();
    await ask('int_1', {
      escalate: [
        { after: 1, to: 'bob' },
        { after: 1, to: 'dst_1' },
      ],
    });
    expect(await after(1000)).toEqual([]);
    expect(await bench.store.readLog({ after: 1, limit: 9 })).toMatchObject([
      { type: 'interaction.escalated', to: 'bob', problem: 'This person may not answer requests of this chat.' },
      { type: 'interaction.escalated', to: 'dst_1', problem: 'Its owner may not answer requests of this chat.' },
    ]);
    expect(await bench.store.destinations.counts()).toEqual(new Map());
  });

  test('reaches nobody who lost the right in between', async () => {
    await addPerson('bob');
    await addBobs({ when: { after: 0, evenInSight: false, quiet: { from: '11:00', to: '14:00', timeZone: 'UTC' } } });
    await ask('int_1', { escalate: [{ after: 1, to: 'bob' }] });
    expect(await after(1000)).toEqual([]);
    await bench.store.tokens.remove('bob', bench.inMs(0));
    expect(await after(4 * 60 * MINUTE_MS)).toEqual([]);
  });

  test('waits for the quiet hours of the person, but not for what they wait for otherwise', async () => {
    await addPerson('bob');
    const quiet = { from: '12:30', to: '12:40', timeZone: 'UTC' };
    await addBobs({ when: { after: '3h', evenInSight: false, quiet } });
    await ask('int_1', { escalate: [{ after: '30m', to: 'bob' }] });
    expect(await after(30 * MINUTE_MS)).toEqual([]);
    expect(await after(10 * MINUTE_MS)).toEqual(['escalated int_1 at dst_1']);
  });

  test('waits while the person has the page in sight', async () => {
    const { devices } = bench.store;
    const at = bench.inMs(0);
    await devices.addCode({ hash: 'code', name: 'bob', role: 'person', expiresAt: bench.inMs(MINUTE_MS) }, at);
    await devices.logIn({ codeHash: 'code', id: 'dev_1', hash: 'h', label: 'Chrome', at });
    await devices.see({ id: 'dev_1', until: bench.inMs(10 * MINUTE_MS) });
    await addBobs();
    await ask('int_1', { escalate: [{ after: '5m', to: 'bob' }] });
    expect(await after(5 * MINUTE_MS)).toEqual([]);
    expect(await after(5 * MINUTE_MS)).toEqual(['escalated int_1 at dst_1']);
  });

  test('reaches a webhook that wants no such events, once', async () => {
    const hook = await bench.add({ kind: 'webhook', filter: { types: ['session.*'] } });
    const all = await bench.add({ kind: 'webhook' });
    for (const { id } of [hook, all]) await ask(`int_${id}`, { escalate: [{ after: 1, to: id }] });
    await after(1000);
    const counts = await bench.store.destinations.counts();
    expect([counts.get(hook.id)?.waiting, counts.get(all.id)?.waiting]).toEqual([1, 4]);
  });

  test('is not lost among many: what a digest does not count is told by itself, a few a minute', async () => {
    await addPerson('bob');
    await addBobs();
    for (let index = 0; index < 60; index += 1) await ask(`int_${index}`, { escalate: [{ after: 1, to: 'bob' }] });
    const told = await after(1000);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(10);
    for (let minute = 0; minute < 40; minute += 1) {
      const more = await after(MINUTE_MS);
      expect(more.length).toBeLessThan(15);
      told.push(...more);
    }
    expect(new Set(told).size).toBe(told.length);
    expect(told).toHaveLength(60);
    expect(told.every((line) => line.startsWith('escalated'))).toBe(true);
  });

  test('is not swallowed by a digest of what its person hears of otherwise', async () => {
    await addPerson('bob');
    await addBobs({ filter: { chats: ['team'] } });
    await ask('int_named', { escalate: [{ after: 1, to: 'bob' }] });
    bench.clock.skip(1000);
    for (let index = 0; index < 20; index += 1) await ask(`int_${index}`, {}, { chatId: 'team' });
    const sent = [...(await after(0)), ...(await after(MINUTE_MS))];
    for (let minute = 0; minute < 10; minute += 1) sent.push(...(await after(MINUTE_MS)));
    expect(sent.toSorted()).toEqual(['digest 20 at dst_1', 'escalated int_named at dst_1']);
  });

  test('is counted by the digest of somebody who hears of such requests anyway', async () => {
    await addPerson('bob');
    await addBobs({ filter: {}, when: { after: '1h', evenInSight: false } });
    for (let index = 0; index < 200; index += 1) await ask(`int_${index}`, { escalate: [{ after: 1, to: 'bob' }] });
    const sent = [...(await after(1000)), ...(await after(MINUTE_MS)), ...(await after(MINUTE_MS))];
    expect(sent).toEqual(['digest 200 at dst_1']);
  });
});
