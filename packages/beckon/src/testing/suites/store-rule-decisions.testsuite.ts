import { describe, expect, test } from 'vitest';
import type { Commit } from '../../core/store.ts';
import type { AnsweredBy, Interaction } from '../../protocol/interaction.ts';
import type { Rule } from '../../protocol/rule.ts';
import { ADA, ASKED_AT, after, createApproval, createQuestion, createRule } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** What rules decide: in the commit of the ask, by the rules as they are at that moment. */
export function testStoreRuleDecisions(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  const byRule = ({ id, createdBy }: Rule): AnsweredBy => ({ who: createdBy, via: `rule:${id}`, kind: 'rule' });
  async function add(changes: Partial<Rule> = {}): Promise<Rule> {
    const rule = createRule(changes);
    await stores.store.rules.add(rule);
    return rule;
  }
  async function ask(command: string, changes: Partial<ReturnType<typeof createApproval>> = {}): Promise<Interaction> {
    return (await stores.store.ask(createApproval(command, changes))).interaction;
  }
  async function readTypes(from = 0): Promise<string[]> {
    return (await stores.store.readLog({ after: from, limit: 100 })).map(({ type }) => type);
  }
  const npmTest = (effect: Rule['effect']): Partial<Rule> => ({ effect });

  test('an approval that a rule allows is answered in the commit of its ask, in the name of its author', async () => {
    const rule = await add();
    const commits: Commit[] = [];
    stores.store.onCommit((commit) => commits.push(commit));
    const asked = await ask('npm test');
    expect(asked).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: byRule(rule),
      settledAt: ASKED_AT,
    });
    expect(await stores.store.get(asked.id)).toEqual(asked);
    expect(commits).toMatchObject([
      { events: [{ type: 'interaction.requested' }, { type: 'interaction.answered' }], interactions: [asked] },
    ]);
    expect(await stores.store.rules.rulesOf(asked.id)).toEqual([
      { ruleId: rule.id, effect: 'allow', isWatch: false, at: ASKED_AT },
    ]);
  });

  test('a denied one carries the reason, or says whose rule it was', async () => {
    await add({ effect: 'deny', reason: 'Tests run in CI' });
    expect(await ask('npm test')).toMatchObject({ answer: { decision: 'deny', message: 'Tests run in CI' } });
    await add({ effect: 'deny', match: { commands: [{ words: ['ls'], rest: 'any' }] }, createdBy: 'bob' });
    expect(await ask('ls')).toMatchObject({ answer: { decision: 'deny', message: 'A rule of bob denies this.' } });
  });

  test('without a rule that matches, a person is asked', async () => {
    await add();
    expect(await ask('npm publish')).toMatchObject({ status: 'pending' });
    expect(await readTypes(1)).toEqual(['interaction.requested']);
  });

  test('deny beats ask, and ask beats allow', async () => {
    await add(npmTest('allow'));
    const asking = await add(npmTest('ask'));
    const asked = await ask('npm test');
    expect(asked.status).toBe('pending');
    expect(await stores.store.rules.rulesOf(asked.id)).toMatchObject([{ ruleId: asking.id, effect: 'ask' }]);
    const denying = await add(npmTest('deny'));
    expect(await ask('npm test')).toMatchObject({ answer: { decision: 'deny' }, answeredBy: byRule(denying) });
  });

  test('a rule that watches decides nothing; the log and its hits say what it would have said', async () => {
    const watching = await add({ mode: 'watch', effect: 'deny' });
    const asked = await ask('npm test');
    expect(asked.status).toBe('pending');
    expect(await stores.store.readLog({ after: 2, limit: 9 })).toEqual([
      {
        seq: 3,
        type: 'interaction.watched',
        at: ASKED_AT,
        interactionId: asked.id,
        chatId: 'default',
        kind: 'approval',
        ruleId: watching.id,
        effect: 'deny',
      },
    ]);
    expect(await stores.store.rules.rulesOf(asked.id)).toMatchObject([{ ruleId: watching.id, isWatch: true }]);
    await add();
    expect(await ask('npm test')).toMatchObject({ answer: { decision: 'allow' } });
    expect(await readTypes(4)).toEqual(['interaction.requested', 'interaction.watched', 'interaction.answered']);
  });

  test('only approvals are decided', async () => {
    await add({ tool: '*', match: undefined, effect: 'deny' });
    const question = createQuestion();
    const plan = { ...question, id: 'plan', kind: 'plan_review', request: { plan: '#', toolInput: {} } } as Interaction;
    for (const other of [question, plan]) {
      expect((await stores.store.ask(other)).interaction).toEqual(other);
      expect(await stores.store.rules.rulesOf(other.id)).toEqual([]);
    }
  });

  test('a rule that has ended decides nothing', async () => {
    await add({ until: after(10) });
    expect((await ask('npm test', { createdAt: after(9) })).status).toBe('answered');
    expect((await ask('npm test', { createdAt: after(10) })).status).toBe('pending');
  });

  test('asking again with the same key finds what was asked first, whatever the rules say by then', async () => {
    const key = (idempotencyKey: string) => ({ idempotencyKey });
    const waiting = await ask('npm test', key('before'));
    const rule = await add();
    const decided = await ask('npm test', key('after'));
    expect(await ask('npm test', key('before'))).toEqual(waiting);
    await stores.store.rules.remove({ id: rule.id, by: 'ada', at: after(1) });
    const last = await stores.store.lastSeq();
    expect(await ask('npm test', key('after'))).toEqual(decided);
    expect(await stores.store.lastSeq()).toBe(last);
    expect((await stores.store.rules.hits({ ruleId: rule.id, limit: 9 })).recent).toHaveLength(1);
  });

  test('of a group, each approval is decided by itself, in one commit', async () => {
    const rule = await add();
    const group = [createApproval('npm test'), createApproval('npm publish'), createQuestion()].map((interaction) => ({
      interaction: { ...interaction, groupId: 'g' },
    }));
    const asked = await stores.store.askGroup(group);
    expect(asked.map(({ interaction }) => interaction.status)).toEqual(['answered', 'pending', 'pending']);
    expect(await readTypes(1)).toEqual([
      'interaction.requested',
      'interaction.answered',
      'interaction.requested',
      'interaction.requested',
    ]);
    expect((await stores.store.rules.hits({ ruleId: rule.id, limit: 9 })).recent).toHaveLength(1);
  });

  test('steps of one commit see the rules as the steps before them left them', async () => {
    const rule = createRule();
    const { rules } = stores.store;
    const [before, , during, , after_] = await Promise.all([
      ask('npm test'),
      rules.add(rule),
      ask('npm test'),
      rules.remove({ id: rule.id, by: 'ada', at: after(1) }),
      ask('npm test'),
    ]);
    expect([before.status, during.status, after_.status]).toEqual(['pending', 'answered', 'pending']);
    expect((await ask('npm test')).status).toBe('pending');
  });

  test('a change in another process counts from its commit on', async () => {
    const other = await stores.open();
    const rule = createRule();
    expect((await ask('npm test')).status).toBe('pending');
    await other.rules.add(rule);
    expect((await ask('npm test')).status).toBe('answered');
    const narrower: Rule = { ...rule, match: { commands: [{ words: ['npm', 'test'], rest: 'none' }] } };
    const denying: Rule = { ...narrower, effect: 'deny' };
    await other.rules.put({ rule: denying, expected: rule, at: after(1) });
    expect(await ask('npm test')).toMatchObject({ answer: { decision: 'deny' } });
    await other.rules.stop({ ids: [rule.id], why: 'wrong', by: 'ada', at: after(2) });
    expect((await ask('npm test')).status).toBe('pending');
    await other.rules.put({ rule, expected: { ...denying, stopped: { at: after(2), why: 'wrong' } }, at: after(3) });
    expect((await ask('npm test')).status).toBe('answered');
    await other.rules.remove({ id: rule.id, by: 'ada', at: after(4) });
    expect((await ask('npm test')).status).toBe('pending');
  });

  test('a rule whose examples no longer hold is stopped by the ask that would have used it, and says why', async () => {
    const broken = await add({ examples: { match: ['git status'], notMatch: [] } });
    const working = await add({ match: { commands: [{ words: ['ls'], rest: 'none' }] } });
    expect((await ask('npm test')).status).toBe('pending');
    const [stopped, requested] = await stores.store.readLog({ after: 2, limit: 9 });
    expect(stopped).toEqual({ seq: 3, type: 'rule.stopped', at: ASKED_AT, ruleId: broken.id, why: expect.any(String) });
    expect(requested).toMatchObject({ seq: 4, type: 'interaction.requested' });
    const { stopped: why } = (await stores.store.rules.find(broken.id)) ?? {};
    expect(why).toEqual({ at: ASKED_AT, why: stopped !== undefined && 'why' in stopped && stopped.why });
    expect((await ask('ls')).status).toBe('answered');
    expect(await stores.store.rules.find(working.id)).toEqual(working);
    const other = await stores.open();
    await other.ask(createApproval('npm test'));
    expect(await readTypes(4)).toEqual(['interaction.requested', 'interaction.answered', 'interaction.requested']);
  });

  test('what a rule decided is not found under the name of its author, and takes no time of a person', async () => {
    await add();
    await ask('npm test');
    const { id } = await ask('npm publish');
    await stores.store.recordAnswer({ id, answer: { decision: 'allow' }, by: ADA, at: after(2000) });
    expect((await stores.store.list({ person: 'ada' })).items).toMatchObject([{ id }]);
    const { answerTimes } = await stores.store.history.tally({ since: ASKED_AT, until: after(1) });
    expect(answerTimes).toEqual([{ ms: 2000, count: 1 }]);
  });

  describe('what is dangerous', () => {
    const dangerous = 'rm -rf ~';
    const answer = (id: string, decision: object) =>
      stores.store.recordAnswer({ id, answer: decision, by: ADA, at: after(1) });

    test('is not decided by a rule that allows it', async () => {
      await add({ match: { commands: [{ words: ['rm', '-rf', '~'], rest: 'any' }] } });
      expect((await ask(dangerous)).status).toBe('pending');
    });

    test('is not remembered', async () => {
      const { id } = await ask(dangerous);
      const { interaction } = await answer(id, { decision: 'allow', remember: true });
      expect(interaction?.answer).toEqual({ decision: 'allow' });
      const harmless = await ask('npm test');
      expect((await answer(harmless.id, { decision: 'allow', remember: true })).interaction?.answer).toEqual({
        decision: 'allow',
        remember: true,
      });
    });

    test('is not allowed together with others: nothing is recorded, and the error names it', async () => {
      const harmless = await ask('npm test');
      const { id } = await ask(dangerous);
      const last = await stores.store.lastSeq();
      const both = (decision: 'allow' | 'deny') =>
        stores.store.recordAnswers({
          answers: [harmless.id, id].map((one) => ({ id: one, answer: { decision } })),
          by: ADA,
          at: after(1),
        });
      await expect(both('allow')).rejects.toMatchObject({
        code: 'invalid_answer',
        message: expect.stringContaining(id),
      });
      expect(await stores.store.lastSeq()).toBe(last);
      expect((await both('deny')).map(({ result }) => result)).toEqual(['accepted', 'accepted']);
    });

    test('is allowed by itself, and does not hold up others once it is settled', async () => {
      const harmless = await ask('npm test');
      const { id } = await ask(dangerous);
      expect((await answer(id, { decision: 'allow' })).result).toBe('accepted');
      const answers = [harmless.id, id].map((one) => ({ id: one, answer: { decision: 'allow' } }));
      const results = await stores.store.recordAnswers({ answers, by: ADA, at: after(2) });
      expect(results.map(({ result }) => result)).toEqual(['accepted', 'repeated']);
    });
  });

  test('a button on a notification decides what is routine; of anything else nothing is recorded', async () => {
    const by = { ...ADA, via: 'notification' };
    const press = (id: string, decision: object) =>
      stores.store.recordAnswer({ id, answer: decision, by, at: after(1) });
    const routine = await ask('npm test');
    const dangerous = await ask('rm -rf ~');
    const long = await ask(`npm test -- ${'a'.repeat(200)}`);
    const last = await stores.store.lastSeq();
    for (const { id } of [dangerous, long]) {
      for (const decision of ['allow', 'deny']) {
        await expect(press(id, { decision })).rejects.toMatchObject({ code: 'must_be_opened' });
      }
    }
    await expect(press(routine.id, { decision: 'allow', remember: true })).rejects.toMatchObject({
      code: 'must_be_opened',
    });
    expect(await stores.store.lastSeq()).toBe(last);
    expect(await press(routine.id, { decision: 'allow' })).toMatchObject({
      result: 'accepted',
      interaction: { answer: { decision: 'allow' }, answeredBy: by },
    });
    // Whoever was too slow hears who won, also of what the button would not have decided.
    await stores.store.recordAnswer({ id: dangerous.id, answer: { decision: 'deny' }, by: ADA, at: after(2) });
    expect(await press(dangerous.id, { decision: 'allow' })).toMatchObject({ result: 'lost' });
  });
}
