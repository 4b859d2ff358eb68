import { describe, expect, test } from 'vitest';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { Child } from '../harness/child.ts';
import type { RuledTold } from '../harness/ruled-child.ts';
import { checkRuledLog } from '../harness/ruled-log.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';

const createDatabase = useEngines();
const MESSAGES = repeat(1500);

describe.each(ENGINES)('%s', (engine) => {
  test('of two processes that ask while both revoke rules of either, the log alone says what was decided by which', {
    timeout: soakTimeout(120_000),
  }, async () => {
    const seed = useSeed();
    const database = await createDatabase(engine);
    // Each makes the rules of one chat, and both ask in both.
    const file = new URL('../harness/ruled-child.ts', import.meta.url);
    const chats = ['left', 'right'];
    const children = chats.map(
      (chat, index) =>
        new Child<RuledTold>(file, { store: database.url, seed: seed + index, chats: [chat], others: chats }),
    );
    try {
      await Promise.all(children.map((child) => child.next('ready')));
      for (const child of children) child.tell({ type: 'go' });
      await Promise.all(children.map((child) => child.says(MESSAGES)));
      for (const child of children) child.tell({ type: 'stop' });
      await Promise.all(children.map((child) => child.next('done')));
      const figures = await checkRuledLog(await database.open());
      // Were all decided, or none, there would have been no race.
      expect(figures.decided).toBeGreaterThan(0);
      expect(figures.decided).toBeLessThan(figures.asks);
      expect(figures.changes).toBeGreaterThan(10);
      console.log(`${engine}: ${JSON.stringify(figures)}`);
    } finally {
      await Promise.all(children.map((child) => child.kill()));
      await database.dispose();
    }
  });
});
