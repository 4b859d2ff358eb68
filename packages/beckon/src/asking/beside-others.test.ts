import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { createRule } from '../testing/suites/samples.ts';
import { approve } from './approve.ts';
import { choose } from './choose.ts';
import { notify } from './notify.ts';
import { requireApproval } from './require-approval.ts';

let database: TestDatabase;
let beckon: Beckon;
/** Another process, in which people make rules and time policies. */
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

test('what a rule allows is allowed by the rule', async () => {
  await other.rules.add(createRule());
  const verdict = await approve(beckon, { tool: 'Bash', input: { command: 'npm test' } });
  expect(verdict).toMatchObject({ allowed: true, input: { command: 'npm test' }, answeredBy: { kind: 'rule' } });
  const Bash = ({ command }: { command: string }): string => `ran ${command}`;
  expect(await requireApproval(beckon, Bash)({ command: 'npm test' })).toBe('ran npm test');
});

test('what a rule denies is denied by the rule', async () => {
  await other.rules.add(createRule({ effect: 'deny', reason: 'Not from here' }));
  expect(await approve(beckon, { tool: 'Bash', input: { command: 'npm test' } })).toMatchObject({
    allowed: false,
    because: 'denied',
    message: 'Denied by a rule of ada: Not from here',
    answeredBy: { kind: 'rule' },
  });
});

test('a policy of your own code answers under its name', async () => {
  const verdict = await approve(beckon, {
    tool: 'deploy',
    onAsked: ({ id }) =>
      void beckon.answer(id, { decision: 'deny' }, { who: 'office-hours', via: 'policy', kind: 'rule' }),
  });
  expect(verdict).toMatchObject({ because: 'denied', message: 'Denied by the rule office-hours.' });
});

test('a time policy of the chat reminds people of a question, but not of a notice', async () => {
  const setAt = new Date(0).toISOString();
  await other.policies.set({
    chatId: 'ops',
    remindAfter: '5m',
    escalate: [{ after: '9m', to: 'bob' }],
    setBy: 'ada',
    setAt,
  });
  await notify(beckon, 'Done.', { chatId: 'ops' });
  expect(await other.timers.nextAt()).toBeNull();
  const asked = Promise.withResolvers<void>();
  const asking = choose(beckon, 'Which?', ['a'], { chatId: 'ops', onAsked: () => asked.resolve() });
  await asked.promise;
  expect(await other.timers.nextAt()).not.toBeNull();
  await beckon.cancel({ chatId: 'ops' });
  expect(await asking).toMatchObject({ because: 'cancelled' });
});

test('people are reminded of a notice that says so', async () => {
  await notify(beckon, 'Done.', { remindAfter: '1m' });
  expect(await other.timers.nextAt()).not.toBeNull();
});
