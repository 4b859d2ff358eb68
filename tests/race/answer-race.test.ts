import { describe, expect, test } from 'vitest';
import { type Interaction, openBeckon } from '../../packages/beckon/src/index.ts';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { Child } from '../harness/child.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { within } from '../harness/within.ts';
import { type RacerTold, type Round, toWinner } from './messages.ts';

const createDatabase = useEngines();
const PROCESSES = { sqlite: 2, postgres: 3 } as const;
const ROUNDS = repeat(10);
const PER_ROUND = 30;

describe.each(ENGINES)('%s', (engine) => {
  test(`of ${PROCESSES[engine]} processes that answer at once one wins, and all are told which`, {
    timeout: soakTimeout(120_000),
  }, async () => {
    const seed = useSeed();
    const database = await createDatabase(engine);
    const file = new URL('./answer-child.ts', import.meta.url);
    const names = Array.from({ length: PROCESSES[engine] }, (_, index) => `process-${index}`);
    const children = names.map(
      (name, index) => new Child<RacerTold>(file, { store: database.url, name, seed: seed + index }),
    );
    const beckon = await openBeckon({ store: database.url });
    const wins = new Map(names.map((name) => [name, 0]));
    try {
      await Promise.all(children.map((child) => child.next('ready')));
      for (let round = 0; round < ROUNDS; round += 1) {
        const asked = await Promise.all(Array.from({ length: PER_ROUND }, () => ask()));
        const waits = asked.map(({ id }) => beckon.wait(id));
        for (const child of children) child.tell({ type: 'round', ids: asked.map(({ id }) => id) } satisfies Round);
        await Promise.all(children.map((child) => child.next('waiting')));
        for (const child of children) child.tell({ type: 'go' });
        const done = await Promise.all(children.map((child) => child.next('done')));
        const settled = await within('the waiters beside the race', Promise.all(waits));

        const winners = settled.map(toWinner);
        for (const { answer, answeredBy } of winners) {
          const who = answeredBy?.who ?? '';
          expect(answer).toEqual({ text: `from ${who}` });
          expect(answeredBy).toEqual({ who, via: 'race', kind: 'person' });
          wins.set(who, (wins.get(who) ?? 0) + 1);
        }
        for (const [index, { results, waited }] of done.entries()) {
          expect(waited).toEqual(winners);
          expect(results).toEqual(
            winners.map((winner) => ({
              result: winner.answeredBy?.who === names[index] ? 'accepted' : 'lost',
              winner,
            })),
          );
        }
        expect(await Promise.all(asked.map(({ id }) => beckon.get(id)))).toEqual(settled);
      }
      // Were there a process that never won, there would have been no race.
      expect([...wins.keys()]).toEqual(names);
      expect([...wins.values()].filter((count) => count > 0).length).toBeGreaterThan(1);
      console.log(`${engine}: ${JSON.stringify(Object.fromEntries(wins))}`);
    } finally {
      await Promise.all(children.map((child) => child.kill()));
      await beckon.close();
      await database.dispose();
    }

    function ask(): Promise<Interaction> {
      return beckon.ask({ kind: 'question', request: { question: 'Who is first?' } });
    }
  });
});
