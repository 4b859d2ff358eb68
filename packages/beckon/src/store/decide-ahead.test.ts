import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Commit } from '../core/store.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { policy } from '../rules/policy.ts';
import { checkForm } from '../runtime/form-schema.ts';
import { type TestDatabase, usePostgres } from '../testing/harness/database.ts';
import {
  ADA,
  ASKED_AT,
  ASKS,
  after,
  BOB,
  createApproval,
  createQuestion,
  createRule,
} from '../testing/suites/samples.ts';
import type { Driver } from './driver.ts';
import { openPostgresDriver } from './postgres/postgres-driver.ts';
import { openSqlStore, type SqlStore } from './sql-store.ts';

const createDatabase = usePostgres();
let database: TestDatabase;
/** Decides before it has the log's lock. */
let store: SqlStore;
/** Another process. */
let other: SqlStore;
/** What happens once between what `store` reads for its next decision and what it writes. */
let meanwhile: (() => Promise<unknown>) | undefined;
/** How many batches of `store` had to be decided again, under the lock. */
let repeated: number;

beforeEach(async () => {
  database = await createDatabase({ busyMs: 2000 });
  other = await database.open();
  store = await openSqlStore(interrupt(database.openDriver()), { checkForm, policy });
  meanwhile = undefined;
  repeated = 0;
});

afterEach(async () => {
  await store.close();
  await database.dispose();
});

describe('an answer', () => {
  test('that comes while another process records one is lost, and nothing of it is kept', async () => {
    const { id } = await asked();
    meanwhile = () => answer(other, id, 'SQLite');
    expect(await answer(store, id, 'Postgres', BOB)).toMatchObject({
      result: 'lost',
      interaction: { answer: { text: 'SQLite' }, answeredBy: ADA },
    });
    expect(repeated).toBe(1);
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.answered']);
  });

  test('that comes while another process cancels the request is late', async () => {
    const { id } = await asked();
    meanwhile = () => other.end({ ids: [id], as: 'cancelled', at: after(1) });
    expect(await answer(store, id)).toMatchObject({ result: 'late', interaction: { status: 'cancelled' } });
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.cancelled', 'interaction.late_answer']);
  });

  test('that is overtaken does not take the others of its commit with it', async () => {
    const requests = await Promise.all(Array.from({ length: 5 }, () => asked()));
    meanwhile = () => answer(other, requests[2]?.id ?? '');
    const results = await Promise.all(requests.map(({ id }) => answer(store, id, 'Postgres', BOB)));
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'accepted', 'lost', 'accepted', 'accepted']);
    expect((await readTypes()).filter((type) => type === 'interaction.answered')).toHaveLength(5);
  });

  test('that asks for feedback on a plan asks once, even if another process did so a moment before', async () => {
    const plan = { ...createQuestion(), ...ASKS.plan_review } as Interaction;
    await store.ask(plan);
    const adjust = (at: SqlStore) =>
      at.recordAnswer({ id: plan.id, answer: { decision: 'adjust' }, by: ADA, at: after(1) });
    meanwhile = () => adjust(other);
    expect(await adjust(store)).toMatchObject({ result: 'repeated', interaction: { awaitingFeedback: true } });
    expect(await readTypes()).toEqual(['interaction.requested', 'interaction.feedback_requested']);
  });

  test('of a whole group is recorded for all of it or for nobody', async () => {
    const group = await Promise.all([1, 2, 3].map(() => asked({ groupId: 'grp_1' })));
    meanwhile = () => answer(other, group[1]?.id ?? '');
    const answers = group.map(({ id }) => ({ id, answer: { text: 'Postgres' } }));
    const result = await store.recordGroup({ groupId: 'grp_1', answers, by: BOB, at: after(1) });
    expect(result).toMatchObject({ result: 'lost', interactions: [{ status: 'pending' }, {}, { status: 'pending' }] });
    expect((await readTypes()).filter((type) => type === 'interaction.answered')).toHaveLength(1);
  });
});

test('a reminder never comes after the end: it is decided under the lock', async () => {
  const { id } = await asked();
  meanwhile = () => answer(other, id);
  expect(await store.note({ id, note: { type: 'reminded' }, at: after(1) })).toBe(true);
  expect(await readTypes()).toEqual(['interaction.requested', 'interaction.reminded']);
});

describe('an ask', () => {
  test('under a key that another process uses a moment before finds the request there', async () => {
    const first = createQuestion({ idempotencyKey: 'key' });
    meanwhile = () => other.ask(first);
    expect(await store.ask(createQuestion({ idempotencyKey: 'key' }))).toEqual({ interaction: first, isNew: false });
    expect(repeated).toBe(1);
    expect(await readTypes()).toEqual(['interaction.requested']);
  });

  test('with an id that another process uses a moment before is refused', async () => {
    const question = createQuestion();
    meanwhile = () => other.ask(question);
    await expect(store.ask(question)).rejects.toMatchObject({ code: 'interaction_exists' });
    expect(await readTypes()).toEqual(['interaction.requested']);
  });

  test('is decided by a rule that another process has just added, and by none that it has just removed', async () => {
    const rule = createRule();
    await other.rules.add(rule);
    const approval = createApproval('npm test');
    expect(await store.ask(approval)).toMatchObject({ interaction: { status: 'answered' } });
    expect(repeated).toBe(1);
    // The rules are known now, so nothing is decided twice.
    expect(await store.ask(createApproval('npm test'))).toMatchObject({ interaction: { status: 'answered' } });
    expect(repeated).toBe(1);
    await other.rules.remove({ id: rule.id, by: 'ada', at: after(1) });
    expect(await store.ask(createApproval('npm test'))).toMatchObject({ interaction: { status: 'pending' } });
    expect(await store.rules.rulesOf(approval.id)).toMatchObject([{ ruleId: rule.id }]);
  });

  test('has the reminder of a time policy that another process has just set', async () => {
    await other.policies.set({ chatId: 'default', remindAfter: 5, setBy: 'ada', setAt: ASKED_AT });
    await asked();
    expect(repeated).toBe(1);
    expect(await database.query('select what from timers')).toEqual([{ what: 'reminded' }]);
  });
});

test('its numbers are those of the log, for who hears of the commit, for contexts and for rules', async () => {
  const commits: Commit[] = [];
  store.onCommit((commit) => commits.push(commit));
  const rule = createRule();
  await other.rules.add(rule);
  const questions = Array.from({ length: 30 }, () => createQuestion());
  await Promise.all(
    questions.map(async (question, index) => {
      const at = index % 2 === 0 ? store : other;
      await at.ask(question, { project: `project ${index}` });
      await answer(at, question.id);
      await store.ask(createApproval('npm test'));
    }),
  );
  const log = await readLog();
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  for (const event of commits.flatMap(({ events }) => events)) expect(log[event.seq - 1]).toEqual(event);
  for (const [index, { id }] of questions.entries()) {
    expect(await other.getContext(id)).toEqual({ project: `project ${index}` });
  }
  const [hits] = await database.query<{ count: number }>(
    `select count(*)::int from rule_hits join interactions on seq = interaction_seq where kind = 'approval'`,
  );
  expect(hits).toEqual({ count: 30 });
  const [head] = await database.query<{ seq: string }>('select seq from log_head');
  expect(Number(head?.seq)).toBe(log.length);
});

test('what no rule and no time policy decides is not decided again because they changed', async () => {
  const { id } = await asked();
  await other.rules.add(createRule());
  await asked();
  expect(repeated).toBe(0);
  await other.policies.set({ chatId: 'default', remindAfter: 5, setBy: 'ada', setAt: ASKED_AT });
  expect(await answer(store, id)).toMatchObject({ result: 'accepted' });
  expect(repeated).toBe(0);
});

test('an address whose transactions see nothing of others by default makes no difference', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c default_transaction_isolation=serializable');
  await store.close();
  store = await openSqlStore(interrupt(openPostgresDriver(url.href)), { checkForm, policy });
  const [ours, theirs] = await Promise.all([asked(), asked()]);
  meanwhile = () => answer(other, theirs.id);
  expect(await answer(store, ours.id)).toMatchObject({ result: 'accepted' });
  meanwhile = () => answer(other, ours.id);
  expect(await answer(store, theirs.id, 'Postgres', BOB)).toMatchObject({ result: 'lost' });
  expect((await readLog()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

test('who was overtaken goes on with the same connection', async () => {
  const pids = (): Promise<unknown[]> =>
    database.query(
      `select pid from pg_stat_activity where datname = current_database() and query = 'commit' order by pid`,
    );
  const { id } = await asked();
  await other.ask(createQuestion());
  const before = await pids();
  meanwhile = () => answer(other, id);
  await answer(store, id, 'Postgres', BOB);
  await asked();
  expect(before).toHaveLength(2);
  expect(await pids()).toEqual(before);
});

async function asked(changes: Partial<InteractionOf<'question'>> = {}): Promise<Interaction> {
  return (await store.ask(createQuestion(changes))).interaction;
}

function answer(at: SqlStore, id: string, text = 'SQLite', by = ADA) {
  return at.recordAnswer({ id, answer: { text }, by, at: after(1) });
}

function readLog(): Promise<LogEvent[]> {
  return other.readLog({ after: 0, limit: 1000 });
}

async function readTypes(): Promise<string[]> {
  return (await readLog()).map(({ type }) => type);
}

/** The same driver, in which `meanwhile` happens after the next read of a decision. */
function interrupt(driver: Driver): Driver {
  const { writeAhead, write } = driver;
  if (writeAhead === undefined) throw new Error('This driver does not decide ahead');
  driver.writeAhead = (work) =>
    writeAhead.call(driver, (transaction) =>
      work({
        ...transaction,
        findIn: async (...input) => {
          const rows = await transaction.findIn(...input);
          const happens = meanwhile;
          meanwhile = undefined;
          await happens?.();
          return rows;
        },
      }),
    ) as ReturnType<typeof work>;
  driver.write = (work) => {
    repeated += 1;
    return write.call(driver, work) as ReturnType<typeof work>;
  };
  return driver;
}
