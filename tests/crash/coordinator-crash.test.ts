import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBeckon } from '../../packages/beckon/src/index.ts';
import { ENGINES, type TestDatabase, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { Child } from '../harness/child.ts';

const createDatabase = useEngines();
type Told = { type: 'shown'; id: string; question: string } | { type: 'got'; result: unknown };

const ADA = { who: 'ada', via: 'inbox' };
const FILE = new URL('./coordinator-child.ts', import.meta.url);

let children: Child<Told>[];
let database: TestDatabase | undefined;
beforeEach(() => {
  children = [];
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await database?.dispose();
});

test.each(ENGINES)(
  'on %s, an agent that is killed finds its pending question, then its answers: nobody is asked twice',
  async (engine) => {
    database = await createDatabase(engine);
    const { url: store } = database;
    const person = await openBeckon({ store });
    const start = (): Child<Told> => {
      const child = new Child<Told>(FILE, { store });
      children.push(child);
      return child;
    };
    try {
      const first = start();
      const port = await first.next('shown');
      await first.kill();
      // Both were asked in one commit, for those who show them together.
      expect((await person.list({ groupId: 'toolu_1', status: 'pending' })).items).toHaveLength(2);

      const second = start();
      expect(await second.next('shown')).toEqual(port);
      await person.answer(port.id, { text: '8228' }, ADA);
      const host = await second.next('shown');
      expect(host.question).toBe('Which host?');
      await second.kill();

      // Answered while no agent runs.
      await person.answer(host.id, { text: 'localhost' }, ADA);
      const third = start();
      const { result } = await third.next('got');
      expect(result).toMatchObject({
        behavior: 'allow',
        updatedInput: { answers: { 'Which port?': '8228', 'Which host?': 'localhost' } },
      });
      expect(third.takeAll()).toEqual([]);
      expect((await person.list()).items.map(({ id }) => id)).toEqual([host.id, port.id]);
    } finally {
      await person.close();
    }
  },
);

test.each(ENGINES)(
  'on %s, what was answered of a call before its agent was killed is kept, and named when the rest expires',
  async (engine) => {
    database = await createDatabase(engine);
    const { url: store } = database;
    const person = await openBeckon({ store });
    const start = (): Child<Told> => {
      const child = new Child<Told>(FILE, { store, timeout: '5s' });
      children.push(child);
      return child;
    };
    try {
      const first = start();
      const { id: port } = await first.next('shown');
      await person.answer(port, { text: '8228' }, ADA);
      await first.next('shown');
      await first.kill();
      const { result } = await start().next('got');
      expect(result).toEqual({
        behavior: 'deny',
        message:
          'Nobody answered 1 of 2 questions in time: "Which host?". Answered: "Which port?" = 8228. ' +
          'Ask again only what is open.',
      });
      expect((await person.list()).items).toHaveLength(2);
    } finally {
      await person.close();
    }
  },
);
