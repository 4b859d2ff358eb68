import { expect, test } from 'vitest';
import { createSqliteDatabase, type TestDatabase, usePostgres } from '../testing/harness/database.ts';
import { startOn, useDaemon } from '../testing/harness/use-daemon.ts';
import { testRules } from '../testing/suites/rules.testsuite.ts';
import type { RulesWorld } from '../testing/suites/use-rules.ts';
import { connectBeckon } from './connect-beckon.ts';
import { connectRules } from './connect-rules.ts';

const createPostgresDatabase = usePostgres();

testRules('HTTP with SQLite', () => createWorld(createSqliteDatabase()));
testRules('HTTP with Postgres', () => createWorld(createPostgresDatabase()));

async function createWorld(creating: Promise<TestDatabase>): Promise<RulesWorld> {
  const database = await creating;
  const daemon = await startOn(database.url);
  const token = await daemon.tokens.create({ name: 'root', role: 'admin' });
  const beckon = connectBeckon(daemon.url, { token });
  return {
    rules: connectRules(daemon.url, { token }),
    beckon,
    dispose: async () => {
      await beckon.close();
      await daemon.stop();
      await database.dispose();
    },
  };
}

const daemon = useDaemon();

test('the author of a rule is the name and the id of the token', async () => {
  const token = await daemon.createToken('ada', 'admin');
  const rule = await connectRules(daemon.url, { token }).add({ effect: 'deny', tool: 'deploy' });
  expect(rule).toMatchObject({ createdBy: 'ada', authorId: token.split('_')[1] });
});

test('an id that cannot be one is refused before anything is sent', async () => {
  const rules = connectRules('http://127.0.0.1:9', { retryFor: 0 });
  for (const call of [
    rules.get('../x'),
    rules.edit('a/b', {}),
    rules.remove(''),
    rules.offers('?'),
    rules.markWrong('#'),
  ]) {
    await expect(call).rejects.toMatchObject({ code: 'invalid_input' });
  }
});
