import { expect, test } from 'vitest';
import { useNotify } from '../testing/harness/use-notify.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { Planner } from './planner.ts';

const bench = useNotify();

test('a request that comes while a long log is sent again is planned with the next part, not after the last', async () => {
  const phone = await bench.add();
  const webhook = await bench.add({ kind: 'webhook', filter: { types: ['interaction.*'] } });
  const createdAt = bench.inMs(0);
  const past = Array.from({ length: 2000 }, (_, index) => createQuestion({ id: `past_${index}`, createdAt }));
  await Promise.all(past.map((question) => bench.store.ask(question)));
  const { store } = bench;
  const errors: unknown[] = [];
  const parts: string[] = [];
  const planner = new Planner({
    // The same store, which writes down what it is asked to keep.
    store: {
      destinations: store.destinations,
      readLog: (input) => store.readLog(input),
      getMany: (ids) => store.getMany(ids),
      onCommit: () => undefined,
      notices: Object.assign(Object.create(store.notices) as typeof store.notices, {
        replayPart: async (part: Parameters<typeof store.notices.replayPart>[0]) => {
          if (parts.push('again') === 1) await store.ask(createQuestion({ id: 'now', createdAt }));
          return store.notices.replayPart(part);
        },
        plan: async (plan: Parameters<typeof store.notices.plan>[0]) => {
          if (plan.entries.some(({ destination, lane }) => destination === phone.id && lane === 'now')) {
            parts.push('now');
          }
          return store.notices.plan(plan);
        },
        view: () => store.notices.view(),
        isTold: (ids: readonly string[]) => store.notices.isTold(ids),
        misdated: (at: number) => store.notices.misdated(at),
      }),
    },
    clock: bench.clock,
    onPlanned: () => undefined,
    onError: (error) => errors.push(error),
  });
  await planner.tick();
  // Nobody needs to hear of them any more, so the new request is told by itself.
  await store.end({ ids: past.map(({ id }) => id), as: 'cancelled', at: createdAt });
  await planner.tick();
  expect(await store.notices.replayAfter({ destination: webhook.id, after: 0, at: bench.clock.now() })).toBe(4000);
  parts.length = 0;
  await planner.tick();
  expect(errors).toEqual([]);
  expect(parts.filter((part) => part === 'again').length).toBeGreaterThanOrEqual(20);
  expect(parts.slice(0, 2)).toEqual(['again', 'now']);
});
