import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../core/store.ts';
import { ENGINES, type TestDatabase, useEngines } from '../testing/harness/database.ts';
import { ADA, after, createQuestion } from '../testing/suites/samples.ts';

const createDatabase = useEngines();
/** When the request of each round expires, in seconds. */
const DEADLINE = 15;
/** Later than everything that happens in a round. */
const END = 60;

const instant = fc.integer({ min: 0, max: 20 });
const policy = fc.record({
  remindAfter: fc.option(fc.integer({ min: 1, max: 12 })),
  escalate: fc.array(fc.record({ after: fc.integer({ min: 1, max: 12 }), to: fc.constantFrom('bob', 'dst_1') }), {
    maxLength: 3,
  }),
});
// Time goes ahead and back: nobody promises that the clocks of two nodes agree.
const step = fc.oneof(
  fc.record({ does: fc.constantFrom('fires', 'fires there'), at: instant }),
  fc.record({ does: fc.constantFrom('answers', 'expires', 'mends'), at: instant }),
);

describe.each(ENGINES)('on %s', (engine) => {
  let database: TestDatabase;
  let here: Store;
  let there: Store;

  beforeEach(async () => {
    database = await createDatabase(engine);
    here = await database.open();
    there = await database.open();
  });
  afterEach(() => database.dispose());

  async function take({ does, at: seconds }: { does: string; at: number }, id: string): Promise<void> {
    const at = after(seconds * 1000);
    if (does === 'fires') await here.timers.fire({ at, limit: 9 });
    else if (does === 'fires there') await there.timers.fire({ at, limit: 9 });
    else if (does === 'mends') await here.timers.mend({ at, setAfter: at });
    else if (does === 'expires') await here.end({ ids: [id], as: 'expired', at });
    else await there.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at });
  }

  test('each timer fires at most once, at its time or later, and never after the end', async () => {
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(policy, fc.array(step, { maxLength: 8 }), async (times, steps) => {
        const id = `int_${(rounds += 1)}`;
        await here.ask(createQuestion({ id, expiresAt: after(DEADLINE * 1000) }), undefined, times);
        for (const one of steps) await take(one, id);
        const own = await here.history.readLog({ of: { interactionId: id }, after: 0, limit: 99 });
        const types = own.map(({ type }) => type.slice('interaction.'.length));
        const fired = own.filter(({ type }) => type === 'interaction.reminded' || type === 'interaction.escalated');
        const reminded = fired.filter(({ type }) => type === 'interaction.reminded');
        const escalated = fired.filter((event) => event.type === 'interaction.escalated');
        const endAt = types.findIndex((type) => type === 'answered' || type === 'expired');
        const afterEnd = endAt === -1 ? [] : types.slice(endAt).filter((type) => /reminded|escalated/.test(type));
        expect(afterEnd).toEqual([]);
        const { remindAfter, escalate } = times;
        const most = (to: string): number => escalate.filter((one) => one.to === to).length;
        const told = (to: string): number => escalated.filter((event) => event.to === to).length;
        expect(['bob', 'dst_1'].filter((to) => told(to) > most(to))).toEqual([]);
        expect(fired.filter(({ at }) => at >= after(DEADLINE * 1000))).toEqual([]);
        expect(reminded.filter(({ at }) => at < after((remindAfter ?? END) * 1000))).toEqual([]);
        expect(reminded.length).toBeLessThanOrEqual(1);
        // If nothing but looking happened before the deadline, what was due has happened.
        const isPlain = steps.every(({ does, at }) => does.startsWith('fires') && at < DEADLINE);
        const isLookedAt = steps.some(({ at }) => at >= (remindAfter ?? END));
        expect(reminded.length).toBe(isPlain ? Number(isLookedAt) : reminded.length);
        await here.timers.fire({ at: after(END * 1000), limit: 99 });
        expect(await there.timers.nextAt()).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});
