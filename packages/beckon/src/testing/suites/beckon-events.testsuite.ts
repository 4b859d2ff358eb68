import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ADA, answeredBy, ask } from './samples.ts';
import { until } from './until.ts';
import { type CreateBeckonDatabase, readEvents, useBeckons } from './use-beckons.ts';

/** The log as a stream: from any place, without gap or repeat, then live. */
export function testBeckonEvents(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test('the whole life of an interaction is in the log, numbered from 1', async () => {
    const asked = await beckons.beckon.ask(ask({ chatId: 'chat', sessionId: 'session-1' }));
    await beckons.beckon.answer(asked.id, { text: 'SQLite' }, ADA);
    const about = { interactionId: asked.id, chatId: 'chat', sessionId: 'session-1', kind: 'question' };
    expect(await readEvents(beckons.beckon, ({ seq }) => seq === 2)).toEqual([
      { seq: 1, type: 'interaction.requested', at: asked.createdAt, ...about, expiresAt: asked.expiresAt },
      {
        seq: 2,
        type: 'interaction.answered',
        at: expect.any(String),
        ...about,
        answer: { text: 'SQLite', selected: ['SQLite'] },
        by: answeredBy(ADA),
      },
    ]);
  });

  test('a reader starts behind any number and goes on live', async () => {
    await Promise.all(Array.from({ length: 10 }, () => beckons.beckon.ask(ask())));
    const readers = [0, 3, 9, 10].map(async (after) => {
      const events = await readEvents(beckons.beckon, ({ seq }) => seq === 15, { after });
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 15 - after }, (_, index) => after + 1 + index));
    });
    for (let count = 0; count < 5; count += 1) await beckons.beckon.ask(ask());
    await Promise.all(readers);
  });

  test('a reader that names no number starts at the moment of the call', async () => {
    await beckons.beckon.ask(ask({ id: 'before' }));
    const events = beckons.beckon.events()[Symbol.asyncIterator]();
    const first = events.next();
    await beckons.beckon.get('before');
    // Asked until one is heard: a remote reader begins when its request arrives.
    let isHeard = false;
    void first.then(() => {
      isHeard = true;
    });
    while (!isHeard) await beckons.beckon.ask(ask());
    expect((await first).value).not.toMatchObject({ interactionId: 'before' });
    await events.return?.();
  });

  test('a log that is longer than a page is read whole', async () => {
    // In parts: a busy server may take longer for all of them than a client waits for one.
    for (let part = 0; part < 22; part += 1)
      await Promise.all(Array.from({ length: 50 }, () => beckons.beckon.ask(ask())));
    const events = await readEvents(beckons.beckon, ({ seq }) => seq === 1100);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 1100 }, (_, index) => index + 1));
  });

  test('readers at two Beckons see what both of them write, in one order', async () => {
    const other = await beckons.open();
    const readers = [beckons.beckon, other].map((beckon) => readEvents(beckon, ({ seq }) => seq === 40));
    await Promise.all(
      [beckons.beckon, other].map(async (beckon) => {
        for (let count = 0; count < 10; count += 1) {
          const { id } = await beckon.ask(ask());
          await beckon.cancel({ id });
        }
      }),
    );
    const [here, there] = await Promise.all(readers);
    expect(here?.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(there).toEqual(here);
  });

  test('an aborted reader ends with the reason, whether it sleeps or not, and leaves no listener', async () => {
    await beckons.beckon.ask(ask());
    const sleeping = new AbortController();
    const reading = readEvents(beckons.beckon, () => false, { after: 0, signal: sleeping.signal });
    await beckons.beckon.get('nobody');
    sleeping.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    await until(() => expect(getEventListeners(sleeping.signal, 'abort')).toEqual([]));

    const busy = new AbortController();
    const abortAtFirst = readEvents(
      beckons.beckon,
      () => {
        busy.abort(new Error('enough'));
        return false;
      },
      { after: 0, signal: busy.signal },
    );
    await expect(abortAtFirst).rejects.toThrow('enough');

    const before = readEvents(beckons.beckon, () => true, { after: 0, signal: AbortSignal.abort(new Error('enough')) });
    await expect(before).rejects.toThrow('enough');
  });

  test('a reader that is aborted at any moment of its start ends', async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const aborting = new AbortController();
      const reading = readEvents(beckons.beckon, () => false, { after: 0, signal: aborting.signal });
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      aborting.abort(new Error('enough'));
      await expect(reading).rejects.toThrow('enough');
    }
  });

  test('leaving the loop ends the reader, and others go on', async () => {
    const other = readEvents(beckons.beckon, ({ seq }) => seq === 2);
    await beckons.beckon.ask(ask());
    expect(await readEvents(beckons.beckon, () => true)).toHaveLength(1);
    await beckons.beckon.ask(ask());
    expect(await other).toHaveLength(2);
  });

  test('a reader that stops for a while misses nothing', async () => {
    const events = beckons.beckon.events({ after: 0 })[Symbol.asyncIterator]();
    await beckons.beckon.ask(ask());
    expect(await events.next()).toMatchObject({ value: { seq: 1 } });
    for (let count = 0; count < 5; count += 1) await beckons.beckon.ask(ask());
    for (const seq of [2, 3, 4, 5, 6]) expect(await events.next()).toMatchObject({ value: { seq } });
    await events.return?.();
  });

  test('close ends a reader, also one that holds an event in its hand', async () => {
    await beckons.beckon.ask(ask());
    await beckons.beckon.ask(ask());
    const events = beckons.beckon.events({ after: 0 })[Symbol.asyncIterator]();
    await events.next();
    await beckons.beckon.close();
    await expect(events.next()).rejects.toMatchObject({ code: 'closed' });
  });
}
