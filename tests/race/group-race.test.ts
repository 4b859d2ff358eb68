import { expect, test } from 'vitest';
import { InteractionCoordinator } from '../../packages/beckon/src/coordinator/index.ts';
import { type Beckon, type Interaction, openBeckon } from '../../packages/beckon/src/index.ts';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { MemoryConnector } from '../../packages/beckon/src/testing/memory-connector.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { within } from '../harness/within.ts';

const createDatabase = useEngines();
const RACES = repeat(60);
const AT_ONCE = 10;
const QUESTIONS = ['Database?', 'Region?', 'Cache?', 'Name?'].map((question) => ({ question }));

test.each(ENGINES)(
  'on %s, of two people on two nodes who answer the same questions at once one wins all, or neither wins any',
  { timeout: soakTimeout(120_000) },
  async (engine) => {
    const random = new Random(useSeed());
    const database = await createDatabase(engine);
    const agent = await openBeckon({ store: database.url });
    const nodes: Record<string, Beckon> = {
      ana: await openBeckon({ store: database.url }),
      bob: await openBeckon({ store: database.url }),
    };
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const coordinator = new InteractionCoordinator({ beckon: agent, connector: new MemoryConnector(), onError });
    const wins = new Map<string, number>();
    try {
      let left = RACES;
      const lanes = Array.from({ length: AT_ONCE }, async (_, lane) => {
        for (let round = 0; left > 0; round += 1) {
          left -= 1;
          await race(`call-${lane}-${round}`);
        }
      });
      await within('all races', Promise.all(lanes), soakTimeout(100_000));
      // Were there one who won everything, there would have been no race.
      expect(wins.size).toBeGreaterThan(1);
      expect(errors).toEqual([]);
      console.log(`${engine}: ${JSON.stringify(Object.fromEntries(wins))}`);
    } finally {
      await coordinator.stop();
      for (const beckon of [agent, ...Object.values(nodes)]) await beckon.close();
      await database.dispose();
    }

    async function race(toolUseId: string): Promise<void> {
      const asked = Promise.withResolvers<void>();
      const result = coordinator.handleQuestion(toolUseId, { questions: QUESTIONS }, { toolUseId });
      const look = async (): Promise<void> => {
        const { items } = await agent.list({ groupId: toolUseId });
        if (items.length === QUESTIONS.length) asked.resolve();
        else setImmediate(() => void look());
      };
      await look();
      await asked.promise;
      const steps = (await agent.list({ groupId: toolUseId })).items;
      // In every third race somebody answers one of the questions alone.
      const alone = random.below(3) === 0 ? steps[random.below(steps.length)] : undefined;
      const answers = random.shuffle([
        ...Object.keys(nodes).map((who) => () => answerAll(toolUseId, who, steps)),
        ...(alone === undefined ? [] : [() => answerAlone(alone)]),
      ]);
      const results = await Promise.all(answers.map((answer) => answer()));
      const winners = results.filter((one) => one.result === 'accepted');
      expect(winners).toHaveLength(1);
      const who = winners[0]?.who ?? '';
      wins.set(who, (wins.get(who) ?? 0) + 1);
      const isOpen = ({ id }: Interaction): boolean => who === 'alone' && id !== alone?.id;
      const won = { answer: { text: `from ${who}` }, answeredBy: { who } };
      expect(await Promise.all(steps.map(({ id }) => agent.get(id)))).toMatchObject(
        steps.map((step) => (isOpen(step) ? { status: 'pending' } : won)),
      );
      const rest = steps.filter(isOpen);
      const finished = rest.length === 0 ? 'nothing left' : (await answerAll(toolUseId, 'ana', rest)).result;
      expect(finished).toBe(rest.length === 0 ? 'nothing left' : 'accepted');
      expect(await result).toMatchObject({ behavior: 'allow' });
    }

    async function answerAll(
      groupId: string,
      who: string,
      steps: readonly Interaction[],
    ): Promise<{ who: string; result: string }> {
      const answers = random.shuffle(steps).map(({ id }) => ({ id, answer: { text: `from ${who}` } }));
      const { result } = await (nodes[who] as Beckon).answerGroup(groupId, answers, { who, via: 'race' });
      return { who, result };
    }

    async function answerAlone({ id }: Interaction): Promise<{ who: string; result: string }> {
      const { result } = await agent.answer(id, { text: 'from alone' }, { who: 'alone', via: 'race' });
      return { who: 'alone', result };
    }
  },
);
