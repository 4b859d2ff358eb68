import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { Child } from '../harness/child.ts';
import { Random } from '../harness/random.ts';
import type { RuledTold } from '../harness/ruled-child.ts';
import { checkRuledLog, type RuledFigures } from '../harness/ruled-log.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';

const createDatabase = useEngines();
const LIVES = { sqlite: repeat(8), postgres: repeat(4) } as const;
const MOST_ACKNOWLEDGED = 800;

describe.each(ENGINES)('%s', (engine) => {
  test('whenever a process is killed, an ask and what the rules decided about it are both there, or neither', {
    timeout: soakTimeout(240_000),
  }, async () => {
    const random = new Random(useSeed());
    const database = await createDatabase(engine);
    const file = new URL('../harness/ruled-child.ts', import.meta.url);
    let figures: RuledFigures | undefined;
    try {
      for (let life = 1; life <= LIVES[engine]; life += 1) {
        const chats = ['left', 'right'];
        const child = new Child<RuledTold>(file, { store: database.url, seed: random.below(2 ** 32), chats });
        try {
          await child.next('ready');
          child.tell({ type: 'go' });
          await child.says(random.below(MOST_ACKNOWLEDGED));
          await sleep(random.below(20));
        } finally {
          await child.kill();
        }
        const store = await database.open();
        figures = await checkRuledLog(store);
        for (const told of child.takeAll().filter(({ type }) => type === 'asked')) {
          const { id, status } = told as Extract<RuledTold, { type: 'asked' }>;
          expect((await store.get(id))?.status).toBe(status);
          expect(await store.rules.rulesOf(id)).toHaveLength(status === 'answered' ? 1 : 0);
        }
        await store.close();
      }
      expect(figures?.decided).toBeGreaterThan(0);
      console.log(`${engine}: ${JSON.stringify({ kills: LIVES[engine], ...figures })}`);
    } finally {
      await database.dispose();
    }
  });
});
