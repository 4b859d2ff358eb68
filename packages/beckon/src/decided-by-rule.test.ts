import { afterEach, beforeEach, expect, test } from 'vitest';
import { canUseTool } from './adapters/claude-agent-sdk/index.ts';
import { InteractionCoordinator } from './coordinator/index.ts';
import { runConnector } from './coordinator/run-connector.ts';
import type { Beckon } from './core/beckon.ts';
import { openBeckon } from './open-beckon.ts';
import type { SqlStore } from './store/sql-store.ts';
import { createSqliteDatabase, type TestDatabase } from './testing/harness/database.ts';
import { MemoryConnector } from './testing/memory-connector.ts';
import { createRule } from './testing/suites/samples.ts';

const asking = (command: string) => ({ kind: 'approval', request: { tool: 'Bash', input: { command } } }) as const;

let database: TestDatabase;
let beckon: Beckon;
/** Another process, in which people make rules. */
let other: SqlStore;
beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url });
  other = await database.open();
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

test('an Agent SDK agent is allowed and denied at once', async () => {
  const call = (command: string) =>
    canUseTool(beckon, { context: 'off' } as never)('Bash', { command }, {
      signal: new AbortController().signal,
      toolUseID: `toolu_${command}`,
    } as never);
  await other.rules.add(createRule());
  await other.rules.add(
    createRule({
      effect: 'deny',
      reason: 'Not from here',
      match: { commands: [{ words: ['npm', 'publish'], rest: 'any' }] },
    }),
  );
  expect(await call('npm test')).toEqual({ behavior: 'allow', updatedInput: { command: 'npm test' } });
  expect(await call('npm publish')).toMatchObject({ behavior: 'deny', message: 'Not from here' });
});

test('a coordinator neither shows nor reminds of what a rule decided', async () => {
  const connector = new MemoryConnector();
  const coordinator = new InteractionCoordinator({ beckon, connector });
  await other.rules.add(createRule());
  const result = await coordinator.handleApproval('chat-1', 'Bash', { command: 'npm test' }, { remindAfter: 0.001 });
  expect(result).toMatchObject({ behavior: 'allow' });
  await coordinator.stop();
  expect([connector.shown, connector.settled, connector.prompts]).toEqual([[], [], []]);
});

test('a connector that runs beside Beckon announces only what waits for a person', async () => {
  const phone = new MemoryConnector({ name: 'phone' });
  const running = await runConnector({ beckon, connector: phone, onError: () => undefined });
  await other.rules.add(createRule());
  const decided = await beckon.ask(asking('npm test'));
  const waiting = await beckon.ask(asking('npm publish'));
  expect([decided.status, waiting.status]).toEqual(['answered', 'pending']);
  await expect.poll(() => phone.shown.map(({ id }) => id)).toEqual([waiting.id]);
  expect(phone.settled).toEqual([]);
  await running.stop();
});

test('somebody who waited for the id before it was asked, in another process, hears of it', async () => {
  const agent = await openBeckon({ store: database.url });
  await other.rules.add(createRule());
  const asked = await agent.ask({ ...asking('npm test'), id: 'int_known' });
  expect(await beckon.wait('int_known')).toEqual(asked);
  await agent.close();
});
