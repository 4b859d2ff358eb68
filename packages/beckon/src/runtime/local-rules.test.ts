import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../core/access.ts';
import type { Store } from '../core/store.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { RuleDraft } from '../protocol/rule.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { alterStore } from '../testing/harness/alter-store.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ADA, ASKED_AT, after } from '../testing/suites/samples.ts';
import { LocalRules } from './local-rules.ts';
import { newRuleId } from './new-id.ts';
import { MOST_PAST } from './past-approvals.ts';

const NPM_TEST: RuleDraft = { effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } };
const ROOT: Caller = { name: 'root', role: 'admin' };

let database: TestDatabase;
let store: Store;
let clock: FakeClock;
beforeEach(async () => {
  database = await createSqliteDatabase();
  store = await database.open();
  clock = new FakeClock(ASKED_AT);
});
afterEach(() => database.dispose());

function rulesOf(caller: Caller = ROOT, on: Store = store): LocalRules {
  return new LocalRules({ store: on, clock, newId: newRuleId, caller });
}

function createApproval(command: string, createdAt = ASKED_AT): InteractionOf<'approval'> {
  return {
    id: `int_${randomUUID()}`,
    chatId: 'default',
    kind: 'approval',
    request: { tool: 'Bash', input: { command } },
    status: 'pending',
    awaitingFeedback: false,
    createdAt,
  };
}

describe('with a long history', () => {
  const more = 120;

  beforeEach(async () => {
    const asks = Array.from({ length: MOST_PAST + more }, (_, index) => ({
      interaction: createApproval(index % 2 === 0 ? 'npm test' : `npm run step-${index}`, after(index)),
    }));
    for (let start = 0; start < asks.length; start += 500) await store.askGroup(asks.slice(start, start + 500));
  });

  /** Asks while each page is read, and counts how often others had their turn between two pages. */
  function watch(): { busy: Store; turns: number[]; answered: () => number; end: () => void } {
    let answered = 0;
    let turn = 0;
    let isOver = false;
    const takeTurn = (): void => {
      turn += 1;
      if (!isOver) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const turns: number[] = [];
    const busy = alterStore(store, {
      list: async (filter) => {
        turns.push(turn);
        const page = await store.list(filter);
        // It is asked and answered here: a preview that held a lock, or the writer, would never go on.
        const { interaction } = await store.ask(createApproval('npm outdated', after(1_000_000)));
        await store.recordAnswer({ id: interaction.id, answer: { decision: 'allow' }, by: ADA, at: after(1_000_000) });
        answered += 1;
        return page;
      },
    });
    return {
      busy,
      turns,
      answered: () => answered,
      end: () => {
        isOver = true;
      },
    };
  }

  test('a preview reads the newest 5,000 in pages, and asks are answered between any two of them', async () => {
    const { busy, turns, answered, end } = watch();
    const preview = await rulesOf(ROOT, busy).preview(NPM_TEST);
    end();
    expect(preview).toMatchObject({ checked: MOST_PAST, since: after(more), matched: MOST_PAST / 2 });
    expect(turns).toHaveLength(100);
    expect(answered()).toBe(100);
    for (const [index, turn] of turns.entries()) expect(turn).toBeGreaterThan(turns[index - 1] ?? -1);
  });

  test('between two pages, everything else that waits has its turn', async () => {
    let turn = 0;
    const turns: number[] = [];
    const takeTurn = (): void => {
      turn += 1;
      if (turns.length < 100) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const watched = alterStore(store, {
      list: (filter) => {
        turns.push(turn);
        return store.list(filter);
      },
    });
    await rulesOf(ROOT, watched).preview(NPM_TEST);
    for (const [index, at] of turns.entries()) expect(at).toBeGreaterThan(turns[index - 1] ?? -1);
  });

  test('a rule is made, offered and suggested in the same way', async () => {
    const { busy, turns, answered, end } = watch();
    const rules = rulesOf(ROOT, busy);
    await rules.add(NPM_TEST);
    const asked = createApproval('npm run build');
    await store.ask(asked);
    const { offers } = await rules.offers(asked.id);
    expect(offers.length).toBeGreaterThan(1);
    // One pass for all offers.
    expect(turns).toHaveLength(200);
    await rules.suggestions();
    end();
    expect(answered()).toBe(300);
  });

  test('suggestions give others a turn while requests are compared', async () => {
    const { items } = await store.list({ kind: 'approval', limit: 200 });
    const answers = items.map(({ id }) => ({ id, answer: { decision: 'allow' } }));
    await store.recordAnswers({ answers: answers.slice(0, 1), by: ADA, at: after(1_000_000) });
    for (const entry of answers.slice(1)) await store.recordAnswer({ ...entry, by: ADA, at: after(1_000_000) });
    const { busy, turns, end } = watch();
    let later = 0;
    const count = (): void => {
      later += 1;
      if (later < 10_000) setImmediate(count);
    };
    const suggested = await rulesOf(
      ROOT,
      alterStore(busy, {
        list: async (filter) => {
          const page = await busy.list(filter);
          if (turns.length === 100) setImmediate(count);
          return page;
        },
      }),
    ).suggestions();
    end();
    expect(suggested.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('npm test'));
    // 5,000 requests are gone through several times, 25 in each step.
    expect(later).toBeGreaterThan(200);
  });
});

test('what an edit was checked against is what it replaces: a rule that keeps changing is left alone', async () => {
  const rules = rulesOf();
  const { id } = await rules.add(NPM_TEST);
  let number = 0;
  const restless = alterStore(store, {
    rules: alterStore(store.rules, {
      put: async (input) => {
        number += 1;
        await rules.edit(id, { reason: `Somebody else's ${number}` });
        return store.rules.put(input);
      },
    }),
  });
  await expect(rulesOf(ROOT, restless).edit(id, { mode: 'watch' })).rejects.toMatchObject({ code: 'store_busy' });
  expect((await rules.get(id))?.rule).toMatchObject({ mode: 'on', reason: "Somebody else's 5" });
});

test('a rule that is removed while it is edited stays removed', async () => {
  const rules = rulesOf();
  const { id } = await rules.add(NPM_TEST);
  const removing = alterStore(store, {
    rules: alterStore(store.rules, {
      put: async (input) => {
        await rules.remove(id);
        return store.rules.put(input);
      },
    }),
  });
  await expect(rulesOf(ROOT, removing).edit(id, { mode: 'watch' })).rejects.toMatchObject({ code: 'rule_not_found' });
  expect(await rules.get(id)).toBeNull();
});

test('a rule for an agent whose token is revoked at that moment decides nothing', async () => {
  const agent = { id: 'a1', name: 'anas-agent', role: 'agent', owner: 'ana', hash: 'x', createdAt: ASKED_AT } as const;
  await store.tokens.add(agent);
  const ana: Caller = { name: 'ana', role: 'person' };
  const revoking = alterStore(store, {
    rules: alterStore(store.rules, {
      add: async (rule) => {
        await store.tokens.remove(agent.name, ASKED_AT);
        return store.rules.add(rule);
      },
    }),
  });
  const draft = { ...NPM_TEST, scope: { askedBy: agent.name } };
  await expect(rulesOf(ana, revoking).add(draft)).rejects.toMatchObject({ code: 'forbidden' });
  const [kept] = await store.rules.all();
  expect(kept?.stopped?.why).toBe('anas-agent, the agent that it is about, is no longer one of ana');
  // Somebody else's agent gets the name.
  await store.tokens.add({ ...agent, id: 'a2', owner: 'bob' });
  const asked = await store.ask({ ...createApproval('npm test'), askedBy: agent.name });
  expect(asked.interaction.status).toBe('pending');
});

test('a rule that has ended needs another end to be edited', async () => {
  const rules = rulesOf();
  const { id } = await rules.add({ ...NPM_TEST, until: '30m' });
  clock.moveTo(after(3_600_000));
  await expect(rules.edit(id, { reason: 'Tests' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('"until" in the future'),
  });
  expect((await rules.edit(id, { until: '30m' })).until).toBe(after(5_400_000));
  expect((await rules.edit(id, { until: null })).until).toBeUndefined();
});

test('a rule that has ended, or is stopped, is not tried', async () => {
  const rules = rulesOf();
  await rules.add({ ...NPM_TEST, until: '30m' });
  const sample = { request: { tool: 'Bash', input: { command: 'npm test' } } };
  expect((await rules.test(sample)).effect).toBe('allow');
  clock.moveTo(after(3_600_000));
  expect((await rules.test(sample)).effect).toBe('none');
});

test('an agent and somebody who only answers make nothing, in process as well', async () => {
  for (const caller of [
    { name: 'builder', role: 'agent' },
    { name: 'bo', role: 'person', answerOnly: true },
  ] as const) {
    const rules = rulesOf(caller);
    await expect(rules.add(NPM_TEST)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(rules.dismiss('x')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await rules.suggestions()).toEqual([]);
  }
});

test('a page of the list that cannot be is refused', async () => {
  for (const page of [{ limit: 0 }, { limit: 201 }, { after: 'x' }]) {
    await expect(rulesOf().list(page)).rejects.toMatchObject({ code: 'invalid_input' });
  }
});
