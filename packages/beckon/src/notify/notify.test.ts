import { describe, expect, test } from 'vitest';
import { NOTIFY_START as START, useNotify } from '../testing/harness/use-notify.ts';
import { createApproval, createDestination } from '../testing/suites/samples.ts';
import { withoutProblem } from './proof.ts';

const MINUTE_MS = 60_000;
const bench = useNotify();

describe('a request', () => {
  test('is told once, with a link, and closed when it is answered elsewhere', async () => {
    await bench.add();
    await bench.ask('int_1');
    expect(await bench.after(0)).toEqual(['asked int_1 at dst_1']);
    expect(bench.phone.notices[0]).toMatchObject({
      what: 'asked',
      risk: 'routine',
      url: 'https://beckon.example/i/int_1',
      ttlSeconds: 604_800,
      interaction: { id: 'int_1', status: 'pending' },
    });
    expect(bench.phone.notices[0]?.topic).toMatch(/^[\w-]{32}$/);
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    await bench.answer('int_1');
    expect(await bench.after(0)).toEqual(['settled int_1 at dst_1']);
    expect(bench.phone.notices[1]).toMatchObject({
      topic: bench.phone.notices[0]?.topic,
      interaction: { status: 'answered' },
    });
    expect(bench.phone.notices[1]?.id).not.toBe(bench.phone.notices[0]?.id);
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    expect((await bench.store.readLog({ after: 0, limit: 9 })).map(({ type }) => type)).toEqual([
      'interaction.requested',
      'interaction.delivered',
      'interaction.answered',
    ]);
    expect(await bench.store.readLog({ after: 1, limit: 1 })).toMatchObject([
      { connector: 'ntfy', destination: 'dst_1' },
    ]);
  });

  test('that is answered before it is due is never told, and nothing of it is left', async () => {
    await bench.add({ when: { after: '5m', evenInSight: false } });
    await bench.ask('int_1');
    expect(await bench.after(0)).toEqual([]);
    await bench.answer('int_1');
    expect(await bench.after(10 * MINUTE_MS)).toEqual([]);
    expect(await bench.store.destinations.counts()).toEqual(new Map());
  });

  test('that waits for longer than somebody wants is told then', async () => {
    await bench.add({ when: { after: '5m', evenInSight: false } });
    await bench.ask('int_1');
    expect(await bench.after(5 * MINUTE_MS - 1)).toEqual([]);
    expect(await bench.after(1)).toEqual(['asked int_1 at dst_1']);
  });

  test('that a rule decided is told to nobody', async () => {
    await bench.add();
    await bench.store.rules.add({
      id: 'rule_1',
      effect: 'allow',
      tool: 'Bash',
      match: { commands: [{ words: ['npm', 'test'], rest: 'any' }] },
      scope: {},
      mode: 'on',
      examples: { match: [], notMatch: [] },
      createdBy: 'ada',
      createdAt: START,
    });
    await bench.store.ask(createApproval('npm test', { id: 'int_1', createdAt: START }));
    await bench.store.ask(createApproval('npm publish', { id: 'int_2', createdAt: START }));
    expect(await bench.after(0)).toEqual(['asked int_2 at dst_1']);
  });

  test('is told again when somebody is reminded of it, in place of the first copy', async () => {
    await bench.add();
    await bench.ask('int_1');
    await bench.after(0);
    await bench.store.note({ id: 'int_1', note: { type: 'reminded' }, at: bench.inMs(0) });
    expect(await bench.after(MINUTE_MS)).toEqual(['reminded int_1 at dst_1']);
    expect(bench.phone.notices[1]?.topic).toBe(bench.phone.notices[0]?.topic);
    await bench.answer('int_1');
    expect(await bench.after(0)).toEqual(['settled int_1 at dst_1']);
  });

  test('is told again before it expires, and closed when it has', async () => {
    await bench.add({ when: { after: 0, beforeExpiry: '2m', evenInSight: false } });
    await bench.ask('int_1', { expiresAt: bench.inMs(10 * MINUTE_MS) });
    expect(await bench.after(0)).toEqual(['asked int_1 at dst_1']);
    expect(bench.phone.notices[0]?.ttlSeconds).toBe(600);
    expect(await bench.after(8 * MINUTE_MS - 1)).toEqual([]);
    expect(await bench.after(1)).toEqual(['expiring int_1 at dst_1']);
    expect(bench.phone.notices[1]?.ttlSeconds).toBe(120);
    expect(await bench.after(2 * MINUTE_MS)).toEqual([]);
    await bench.store.end({ ids: ['int_1'], as: 'expired', at: bench.inMs(0) });
    expect(await bench.after(0)).toEqual(['settled int_1 at dst_1']);
  });

  test('that expires before somebody wants to hear of it is told only before it expires, or never', async () => {
    await bench.add({ when: { after: '1h', beforeExpiry: '1m', evenInSight: false } });
    await bench.add({ when: { after: '1h', evenInSight: false } });
    await bench.ask('int_1', { expiresAt: bench.inMs(5 * MINUTE_MS) });
    expect(await bench.after(4 * MINUTE_MS)).toEqual(['expiring int_1 at dst_1']);
    expect(await bench.store.destinations.counts()).toEqual(new Map());
  });

  test('waits for the end of quiet hours, which are those of the person', async () => {
    const quiet = { from: '22:00', to: '07:00', timeZone: 'America/New_York' };
    await bench.add({ when: { after: 0, quiet, evenInSight: false } });
    bench.clock.skip(15 * 3_600_000); // 03:00 UTC is 22:00 in New York.
    await bench.ask('int_1');
    expect(await bench.after(9 * 3_600_000 - 1)).toEqual([]);
    expect(await bench.after(1)).toEqual(['asked int_1 at dst_1']);
  });

  test('is told as soon as the page is out of sight, and at once to whoever wants that', async () => {
    await logIn('d1');
    await bench.add();
    await bench.add({ when: { after: 0, evenInSight: true } });
    await bench.store.devices.see({ id: 'd1', until: bench.inMs(45_000) });
    await bench.ask('int_1');
    expect(await bench.after(0)).toEqual(['asked int_1 at dst_2']);
    bench.clock.skip(20_000);
    await bench.store.devices.see({ id: 'd1', until: bench.inMs(45_000) });
    expect(await bench.after(44_999)).toEqual([]);
    expect(await bench.after(1)).toEqual(['asked int_1 at dst_1']);
  });

  test('is told although a page of another chat is in sight', async () => {
    await logIn('d1', 'elsewhere');
    await bench.add();
    await bench.store.devices.see({ id: 'd1', until: bench.inMs(45_000) });
    await bench.ask('int_1');
    await bench.ask('int_2', { chatId: 'elsewhere' });
    expect(await bench.after(0)).toEqual(['asked int_1 at dst_1']);
  });

  test('that its person put aside is told when it comes back', async () => {
    await bench.add();
    await bench.ask('int_1');
    await bench.store.snoozes.put({
      who: 'ada',
      interactionId: 'int_1',
      until: bench.inMs(MINUTE_MS),
      at: bench.inMs(0),
    });
    expect(await bench.after(MINUTE_MS - 1)).toEqual([]);
    expect(await bench.after(1)).toEqual(['asked int_1 at dst_1']);
  });

  test('past its deadline is told to nobody, even if nothing has noticed that yet', async () => {
    await bench.add({ when: { after: '1m', evenInSight: false } });
    await bench.ask('int_1', { expiresAt: bench.inMs(MINUTE_MS + 1) });
    await bench.after(0);
    expect(await bench.after(MINUTE_MS + 1)).toEqual([]);
    await bench.store.end({ ids: ['int_1'], as: 'expired', at: bench.inMs(0) });
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    expect(await bench.store.destinations.counts()).toEqual(new Map());
  });
});

describe('a destination', () => {
  test('hears of what its filter wants, and of nothing else', async () => {
    await bench.add({ filter: { chats: ['team'] } });
    await bench.add({ filter: { kinds: ['approval'] } });
    await bench.add({ filter: { projects: ['shop'] } });
    await bench.add({ filter: { risk: 'dangerous' } });
    await bench.add({ filter: { chats: ['team'], kinds: ['approval'] } });
    await bench.ask('int_1', { chatId: 'team', context: { project: 'shop' } });
    await bench.store.ask(createApproval('rm -rf /', { id: 'int_2', createdAt: START }));
    expect((await bench.after(0)).toSorted()).toEqual([
      'asked int_1 at dst_1',
      'asked int_1 at dst_3',
      'asked int_2 at dst_2',
      'asked int_2 at dst_4',
    ]);
  });

  test('that is off, or not proven, hears nothing, and nothing of the past once it does', async () => {
    const { provenAt: _, ...unproven } = createDestination({ id: 'dst_1' });
    await bench.store.destinations.add(unproven);
    await bench.add({ isOn: false });
    await bench.ask('int_1');
    expect(await bench.after(0)).toEqual([]);
    await bench.store.destinations.change('dst_1', (record) => ({ ...record, provenAt: bench.inMs(0) }));
    await bench.store.destinations.change('dst_2', (record) => ({ ...record, isOn: true }));
    await bench.notify.refresh();
    expect(await bench.after(0)).toEqual([]);
    await bench.ask('int_2');
    expect(await bench.after(0)).toEqual(['asked int_2 at dst_1', 'asked int_2 at dst_2']);
  });

  test('hears of chats that its owner may see, at the moment of planning and of sending', async () => {
    await bench.store.tokens.add({
      id: 't2',
      name: 'bob',
      role: 'person',
      chatId: 'team',
      hash: 'h',
      createdAt: START,
    });
    await bench.add({ owner: 'bob' });
    await bench.add({ chatId: 'team' });
    await bench.add({ when: { after: '1m', evenInSight: false } });
    await bench.ask('int_1');
    await bench.ask('int_2', { chatId: 'team' });
    expect((await bench.after(0)).toSorted()).toEqual(['asked int_2 at dst_1', 'asked int_2 at dst_2']);
    await bench.store.tokens.add({ id: 't3', name: 'carol', role: 'person', hash: 'h', createdAt: START });
    await bench.store.tokens.remove('ada', bench.inMs(0));
    expect(await bench.after(MINUTE_MS)).toEqual([]);
  });

  test('with new settings follows them for what waits already', async () => {
    await bench.add({ when: { after: '5m', evenInSight: false } });
    await bench.ask('int_1');
    await bench.after(0);
    await bench.store.destinations.change('dst_1', (record) => ({
      ...record,
      when: { after: '1m', evenInSight: false },
    }));
    await bench.notify.refresh('dst_1');
    expect(await bench.after(MINUTE_MS - 1)).toEqual([]);
    expect(await bench.after(1)).toEqual(['asked int_1 at dst_1']);
  });

  test('that is gone is removed, with what waits for it, and the log says why', async () => {
    await bench.add();
    await bench.add({ kind: 'email' });
    bench.phone.answer = ({ destination: { kind } }) =>
      kind === 'ntfy' ? { result: 'gone', error: 'HTTP 410' } : { result: 'sent' };
    await bench.ask('int_1');
    await bench.ask('int_2');
    await bench.after(0);
    expect((await bench.store.destinations.list()).map(({ id }) => id)).toEqual(['dst_2']);
    expect([...(await bench.store.destinations.counts()).keys()]).toEqual([]);
    const log = await bench.store.readLog({ after: 2, limit: 9 });
    expect(log.filter(({ type }) => type === 'interaction.undeliverable')).toMatchObject([
      { connector: 'ntfy', destination: 'dst_1', error: 'HTTP 410' },
    ]);
  });

  test('that refuses us is paused, keeps what waits, and goes on when it is turned on again', async () => {
    await bench.add();
    bench.phone.answer = () => ({ result: 'refused', error: 'HTTP 401' });
    await bench.ask('int_1');
    await bench.after(0);
    expect(await bench.store.destinations.find('dst_1')).toMatchObject({
      pausedAt: START,
      problem: { error: 'HTTP 401' },
    });
    bench.phone.answer = () => ({ result: 'sent' });
    await bench.ask('int_2');
    bench.phone.take();
    expect(await bench.after(24 * 3_600_000)).toEqual([]);
    await bench.store.destinations.change('dst_1', withoutProblem);
    expect((await bench.after(0)).toSorted()).toEqual(['asked int_1 at dst_1', 'asked int_2 at dst_1']);
  });

  test('without a sender in this process keeps what waits for another one', async () => {
    await bench.add({ kind: 'push' });
    await bench.ask('int_1');
    expect(await bench.after(MINUTE_MS)).toEqual([]);
    expect(await bench.store.destinations.counts()).toEqual(new Map([['dst_1', { waiting: 1, dead: 0 }]]));
    expect((await bench.store.notices.waitingLanes('dst_1'))[0]?.entries).toMatchObject([{ attempts: 0 }]);
  });
});

async function logIn(id: string, chatId?: string): Promise<void> {
  const code = { hash: id, name: 'ada', role: 'person', expiresAt: bench.inMs(MINUTE_MS) } as const;
  await bench.store.devices.addCode({ ...code, ...(chatId !== undefined && { chatId }) }, bench.inMs(0));
  await bench.store.devices.logIn({ codeHash: id, id, hash: id, label: 'Firefox', at: bench.inMs(0) });
}
