import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectBeckon } from '../client/connect-beckon.ts';
import { connectRules } from '../client/connect-rules.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Rules } from '../core/rules.ts';
import type { Daemon } from '../daemon/daemon.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { RuleDraft } from '../protocol/rule.ts';
import { ENGINES, type TestDatabase, useEngines } from '../testing/harness/database.ts';
import { startOn } from '../testing/harness/use-daemon.ts';

const NPM_TEST: RuleDraft = { effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } };
const createDatabase = useEngines();

describe.each(ENGINES)('two daemons on one store with %s', (engine) => {
  let database: TestDatabase;
  let here: Daemon;
  let there: Daemon;
  let rules: Rules;
  let beckon: Beckon;

  beforeEach(async () => {
    database = await createDatabase(engine);
    [here, there] = await Promise.all([startOn(database.url), startOn(database.url)]);
    const admin = await here.tokens.create({ name: 'ada', role: 'admin' });
    const agent = await here.tokens.create({ name: 'builder', role: 'agent' });
    rules = connectRules(here.url, { token: admin });
    beckon = connectBeckon(there.url, { token: agent });
    // It has read the rules before there was one.
    await ask();
  });
  afterEach(async () => {
    await beckon.close();
    await here.stop();
    await there.stop();
    await database.dispose();
  });

  function ask(): Promise<Interaction> {
    return beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } });
  }

  test('a rule made at one decides the next ask at the other, and its removal counts as soon', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await rules.add(NPM_TEST);
      expect(await ask()).toMatchObject({ status: 'answered', answeredBy: { via: `rule:${id}` } });
      await rules.remove(id);
      expect((await ask()).status).toBe('pending');
    }
  });

  test('an edit and a wrong decision count at the other at once', async () => {
    const { id } = await rules.add({ ...NPM_TEST, mode: 'watch' });
    expect((await ask()).status).toBe('pending');
    await rules.edit(id, { mode: 'on' });
    const wrong = await ask();
    expect(wrong.status).toBe('answered');
    await rules.markWrong(wrong.id);
    expect((await ask()).status).toBe('pending');
  });

  test('an author who is revoked at one has no rules at the other', async () => {
    const bob = await here.tokens.create({ name: 'bob', role: 'admin' });
    const made = await connectRules(there.url, { token: bob }).add(NPM_TEST);
    expect((await ask()).status).toBe('answered');
    const store = await database.open();
    await store.tokens.remove('bob', new Date().toISOString());
    expect((await ask()).status).toBe('pending');
    expect((await rules.get(made.id))?.rule.stopped?.why).toContain('bob');
  });
});
