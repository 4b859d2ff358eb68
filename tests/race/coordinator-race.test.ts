import { expect, test } from 'vitest';
import { InteractionCoordinator, MultiConnector } from '../../packages/beckon/src/coordinator/index.ts';
import { openBeckon } from '../../packages/beckon/src/index.ts';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { MemoryConnector } from '../../packages/beckon/src/testing/memory-connector.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { within } from '../harness/within.ts';

const createDatabase = useEngines();
const RACES = repeat(200);
const AT_ONCE = 50;

test.each(ENGINES)(
  'on %s, of two connectors and the API that answer at once one wins, and all other copies say who',
  {
    timeout: soakTimeout(120_000),
  },
  async (engine) => {
    const random = new Random(useSeed());
    const database = await createDatabase(engine);
    const beckon = await openBeckon({ store: database.url });
    const api = await openBeckon({ store: database.url });
    const places = [new MemoryConnector({ name: 'phone' }), new MemoryConnector({ name: 'desk' })];
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const connector = new MultiConnector({ beckon, connectors: places, onError });
    const coordinator = new InteractionCoordinator({ beckon, connector, onError });
    const wins = new Map<string, number>();
    try {
      await coordinator.start();
      let left = RACES;
      const lanes = Array.from({ length: AT_ONCE }, async (_, lane) => {
        while (left > 0) {
          left -= 1;
          await race(`chat-${lane}`);
        }
      });
      await within('all races', Promise.all(lanes), soakTimeout(100_000));
      await coordinator.stop();
      expect([...wins.values()].reduce((sum, count) => sum + count, 0)).toBe(RACES);
      // Were there a place that won everything, there would have been no race.
      expect(wins.size).toBeGreaterThan(1);
      for (const place of places) {
        expect(place.settled).toHaveLength(RACES);
        for (const { id, answeredBy } of place.settled) {
          expect(answeredBy).toEqual((await api.get(id))?.answeredBy);
          expect(place.seen(String(place.settled.find((settled) => settled.id === id)?.chatId))).toContain(
            `answered by ${answeredBy?.who} via ${answeredBy?.via}`,
          );
        }
      }
      expect(errors).toEqual([]);
      console.log(`${engine}: ${JSON.stringify(Object.fromEntries(wins))}`);
    } finally {
      await beckon.close();
      await api.close();
      await database.dispose();
    }

    async function race(chatId: string): Promise<void> {
      const asked = new Promise<string>((resolve) => {
        const seen = new Set(places[0]?.shown);
        const look = (): void => {
          const shown = places[1]?.shown.find((interaction) => interaction.chatId === chatId && !seen.has(interaction));
          if (shown === undefined) setImmediate(look);
          else resolve(shown.id);
        };
        look();
      });
      const result = coordinator.handleQuestion(chatId, { questions: [{ question: 'Who is first?' }] });
      const id = await asked;
      const answers = random.shuffle([
        ...places.map((place) => () => place.answer(id, { text: `from ${place.name}` }, place.name)),
        () => api.answer(id, { text: 'from api' }, { who: 'api', via: 'api' }),
      ]);
      const results = await Promise.all(answers.map((answer) => answer()));
      expect(results.map((answered) => answered.result).toSorted()).toEqual(['accepted', 'lost', 'lost']);
      const winner = results.find((answered) => answered.result === 'accepted')?.interaction;
      for (const { interaction } of results) expect(interaction?.answeredBy).toEqual(winner?.answeredBy);
      const who = winner?.answeredBy?.who ?? '';
      expect(winner?.answeredBy).toEqual({ who, via: who, kind: 'person' });
      wins.set(who, (wins.get(who) ?? 0) + 1);
      expect(await result).toMatchObject({ updatedInput: { answers: { 'Who is first?': `from ${who}` } } });
    }
  },
);
