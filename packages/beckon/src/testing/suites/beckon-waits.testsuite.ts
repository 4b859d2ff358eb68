import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { ADA, ask } from './samples.ts';
import { until } from './until.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

/** Waiting, in one process and across two, and how it ends when Beckon closes. */
export function testBeckonWaits(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test('a wait resolves when the answer comes', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const waiting = beckons.beckon.wait(id);
    const { interaction } = await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await waiting).toEqual(interaction);
  });

  test('a wait that begins after the settlement resolves at once', async () => {
    const { id } = await beckons.beckon.ask(ask());
    await beckons.beckon.cancel({ id });
    expect(await beckons.beckon.wait(id)).toMatchObject({ status: 'cancelled' });
  });

  test('several waiters of several interactions each get their own outcome', async () => {
    const asked = await Promise.all(Array.from({ length: 30 }, () => beckons.beckon.ask(ask())));
    const waiting = asked.flatMap(({ id }) => [beckons.beckon.wait(id), beckons.beckon.wait(id, { timeout: '10m' })]);
    await Promise.all(asked.map(({ id }) => beckons.beckon.answer(id, { text: `answer to ${id}` }, ADA)));
    for (const settled of await Promise.all(waiting)) {
      expect(settled).toMatchObject({ status: 'answered', answer: { text: `answer to ${settled.id}` } });
    }
  });

  test('a wait for an id that does not exist is refused', async () => {
    await expect(beckons.beckon.wait('nobody')).rejects.toMatchObject({ code: 'interaction_not_found' });
    await expect(beckons.beckon.wait('no/body')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('a wait that times out leaves the interaction pending, and the next wait gets the answer', async () => {
    const asked = await beckons.beckon.ask(ask());
    await expect(beckons.beckon.wait(asked.id, { timeout: '20ms' })).rejects.toMatchObject({ code: 'wait_timed_out' });
    expect(await beckons.beckon.get(asked.id)).toEqual(asked);
    const waiting = beckons.beckon.wait(asked.id);
    await beckons.beckon.answer(asked.id, { text: 'SQLite' }, ADA);
    expect(await waiting).toMatchObject({ status: 'answered' });
  });

  test('a wait of many days does not end at once', async () => {
    const { id } = await beckons.beckon.ask(ask({ timeout: null }));
    const waiting = beckons.beckon.wait(id, { timeout: '365d' });
    const shorter = beckons.beckon.wait(id, { timeout: '50ms' });
    await expect(shorter).rejects.toMatchObject({ code: 'wait_timed_out' });
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await waiting).toMatchObject({ status: 'answered' });
  });

  test('a wait timeout that is no duration is refused', async () => {
    const { id } = await beckons.beckon.ask(ask());
    await expect(beckons.beckon.wait(id, { timeout: 'soon' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('an aborted wait ends with the reason, leaves nothing behind, and disturbs no other', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const aborting = new AbortController();
    const reason = new Error('the person left');
    const other = beckons.beckon.wait(id);
    const waiting = beckons.beckon.wait(id, { signal: aborting.signal, timeout: '10m' });
    await beckons.beckon.get(id);
    aborting.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    expect(await other).toMatchObject({ status: 'answered' });
  });

  test('a wait with a signal that was aborted before ends at once', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(beckons.beckon.wait(id, { signal })).rejects.toThrow('too late');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('a settled wait leaves no listener on its signal', async () => {
    const { id } = await beckons.beckon.ask(ask());
    const { signal } = new AbortController();
    const waiting = beckons.beckon.wait(id, { signal });
    await beckons.beckon.answer(id, { text: 'SQLite' }, ADA);
    await waiting;
    await until(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
  });

  test('deadlines expire their interactions, the earliest first, whatever the order of asking', async () => {
    const late = await beckons.beckon.ask(ask({ timeout: '2s' }));
    const soon = await beckons.beckon.ask(ask({ timeout: '200ms' }));
    const never = await beckons.beckon.ask(ask({ timeout: null }));
    const settled = await Promise.all([late, soon].map(({ id }) => beckons.beckon.wait(id)));
    expect(settled.map(({ status }) => status)).toEqual(['expired', 'expired']);
    const events = await readEvents(beckons.beckon, ({ seq }) => seq === 5);
    // On a busy machine the second ask may come so late that its deadline is the last.
    const byDeadline = [late, soon].sort((a, b) => String(a.expiresAt).localeCompare(String(b.expiresAt)));
    const expired = events.filter(({ type }) => type === 'interaction.expired');
    expect(expired).toMatchObject(byDeadline.map(({ id }) => ({ interactionId: id })));
    expect(await beckons.beckon.get(never.id)).toEqual(never);
  });

  test('a waiter hears of an answer given at another Beckon', async () => {
    const other = await beckons.open();
    const { id } = await beckons.beckon.ask(ask());
    const waiting = beckons.beckon.wait(id);
    await beckons.beckon.get(id);
    const { result } = await other.answer(id, { text: 'SQLite' }, ADA);
    expect(result).toBe('accepted');
    expect(await waiting).toMatchObject({ status: 'answered', answer: { text: 'SQLite' } });
  });

  test('an interaction asked at one Beckon is answered at a second and waited for at a third', async () => {
    const [second, third] = [await beckons.open(), await beckons.open()];
    for (let round = 0; round < 5; round += 1) {
      const { id } = await beckons.beckon.ask(ask());
      const waiting = third.wait(id);
      await second.answer(id, { text: `${round}` }, ADA);
      expect(await waiting).toMatchObject({ answer: { text: `${round}` } });
    }
  });

  test('a deadline set at one Beckon, which is closed then, is kept by another', async () => {
    const other = await beckons.open();
    const { id } = await other.ask(ask({ timeout: '300ms' }));
    const waiting = beckons.beckon.wait(id);
    await other.close();
    expect(await waiting).toMatchObject({ status: 'expired' });
  });

  test('close ends waits and readers with `closed` and keeps everything', async () => {
    const asked = await beckons.beckon.ask(ask());
    const waiting = [beckons.beckon.wait(asked.id), beckons.beckon.wait(asked.id, { timeout: '10m' })];
    const reading = readEvents(beckons.beckon, () => false);
    const ending = Promise.allSettled([...waiting, reading]);
    await beckons.beckon.close();
    const isClosed = { status: 'rejected', reason: { code: 'closed' } };
    expect(await ending).toMatchObject([isClosed, isClosed, isClosed]);
    const reopened = await beckons.open();
    expect(await reopened.get(asked.id)).toEqual(asked);
  });

  test('close finishes what was accepted before it', async () => {
    const asking = Array.from({ length: 50 }, (_, index) => beckons.beckon.ask(ask({ id: `before-${index}` })));
    await beckons.beckon.close();
    await Promise.all(asking);
    const reopened = await beckons.open();
    expect((await reopened.list({ limit: 200 })).items).toHaveLength(50);
  });

  test('after close every method is refused with `closed`, and close itself does nothing more', async () => {
    const { beckon } = beckons;
    const { id } = await beckon.ask(ask());
    const reader = beckon.events({ after: 0 })[Symbol.asyncIterator]();
    await beckon.close();
    const calls: Record<keyof Omit<Beckon, 'close'>, () => Promise<unknown>> = {
      ask: () => beckon.ask(ask()),
      askGroup: () => beckon.askGroup([ask()]),
      wait: () => beckon.wait(id),
      answer: () => beckon.answer(id, { text: 'x' }, ADA),
      answerMany: () => beckon.answerMany([id], { text: 'x' }, ADA),
      answerGroup: () => beckon.answerGroup('g', [{ id, answer: { text: 'x' } }], ADA),
      say: () => beckon.say('default', 'x', ADA),
      cancel: () => beckon.cancel({ id }),
      supersede: () => beckon.supersede(id),
      note: () => beckon.note(id, { type: 'reminded' }),
      get: () => beckon.get(id),
      context: () => beckon.context(id),
      list: () => beckon.list(),
      events: () => readEvents(beckon, () => true),
    };
    for (const call of Object.values(calls)) await expect(call()).rejects.toMatchObject({ code: 'closed' });
    await expect(reader.next()).rejects.toMatchObject({ code: 'closed' });
    await beckon.close();
  });
}
