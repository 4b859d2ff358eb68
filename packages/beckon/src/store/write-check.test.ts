import { expect, test } from 'vitest';
import { policy } from '../rules/policy.ts';
import { checkForm } from '../runtime/form-schema.ts';
import { createSqliteDatabase } from '../testing/harness/database.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { until } from '../testing/suites/until.ts';
import type { Driver } from './driver.ts';
import { openSqlStore } from './sql-store.ts';

const LARGE = { question: 'x'.repeat(60_000), options: [] };

test('whoever asks again and again whether writing works costs next to nothing, and hears of the last failure', async () => {
  const database = await createSqliteDatabase();
  try {
    const driver = database.openDriver();
    let writes = 0;
    const counting = new Proxy(driver, {
      get: (target, name: keyof Driver) => {
        if (name === 'write') writes += 1;
        const member: unknown = target[name];
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const store = await openSqlStore(counting, { checkForm, policy });
    await store.ask(createQuestion());
    await driver.write((transaction) => transaction.all('pragma max_page_count = 40'));
    const before = writes;
    await Promise.all(Array.from({ length: 200 }, () => store.checkWrites()));
    expect(writes - before).toBeLessThanOrEqual(1);

    await expect(store.ask(createQuestion({ request: LARGE }))).rejects.toMatchObject({ code: 'store_full' });
    const failed = writes;
    const checks = await Promise.allSettled(Array.from({ length: 200 }, () => store.checkWrites()));
    for (const check of checks) expect(check).toMatchObject({ reason: { code: 'store_full' } });
    expect(writes - failed).toBeLessThanOrEqual(1);

    // A little still fits, but no request of any size.
    await store.ask(createQuestion());
    await expect(store.checkWrites()).rejects.toMatchObject({ code: 'store_full' });
    await driver.write((transaction) => transaction.all('pragma max_page_count = 100000'));
    await until(() => store.checkWrites());

    // What is refused for itself is no failure of the store.
    const { id } = createQuestion();
    await store.ask(createQuestion({ id }));
    await expect(store.ask(createQuestion({ id }))).rejects.toMatchObject({ code: 'interaction_exists' });
    await store.checkWrites();
    await store.close();
    await expect(store.checkWrites()).rejects.toMatchObject({ code: 'closed' });
  } finally {
    await database.dispose();
  }
});
