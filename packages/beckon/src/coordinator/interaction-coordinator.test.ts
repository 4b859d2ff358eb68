import { connectBeckon } from '../client/connect-beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { createSqliteDatabase, usePostgres } from '../testing/harness/database.ts';
import { startOn } from '../testing/harness/use-daemon.ts';
import { testCoordinator } from '../testing/suites/coordinator.testsuite.ts';

const createPostgresDatabase = usePostgres();

testCoordinator('in process on SQLite', async () => {
  const database = await createSqliteDatabase();
  const beckon = await openBeckon({ store: database.url });
  return {
    agent: beckon,
    person: beckon,
    dispose: async () => {
      await beckon.close();
      await database.dispose();
    },
  };
});

testCoordinator('over HTTP', async () => {
  const database = await createSqliteDatabase();
  const daemon = await startOn(database.url);
  const [agent, person] = await Promise.all(
    ['builder', 'ada'].map(async (name) =>
      connectBeckon(daemon.url, { token: await daemon.tokens.create({ name, role: 'admin' }) }),
    ),
  );
  if (agent === undefined || person === undefined) throw new Error('Expected two connections');
  return {
    agent,
    person,
    dispose: async () => {
      await Promise.all([agent.close(), person.close()]);
      await daemon.stop();
      await database.dispose();
    },
  };
});

testCoordinator('on one node of Postgres, and the person on another', async () => {
  const database = await createPostgresDatabase();
  const [agent, person] = await Promise.all([openBeckon({ store: database.url }), openBeckon({ store: database.url })]);
  return {
    agent,
    person,
    dispose: async () => {
      await Promise.all([agent.close(), person.close()]);
      await database.dispose();
    },
  };
});
