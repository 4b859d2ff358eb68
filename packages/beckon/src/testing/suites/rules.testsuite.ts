import { describe, expect, test } from 'vitest';
import type { RuleDraft } from '../../protocol/rule.ts';
import { testRuleHistory } from './rules-history.testsuite.ts';
import { type CreateRulesWorld, useRules } from './use-rules.ts';

/** `npm test`, and nothing after it. */
const NPM_TEST: RuleDraft = { effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } };
const GIT_PUSH: RuleDraft = {
  effect: 'allow',
  tool: 'Bash',
  match: { commands: [{ words: ['git', 'push'], rest: 'any' }] },
};

/** What the rules of a Beckon do for somebody with every right, in process and over HTTP alike. */
export function testRules(name: string, create: CreateRulesWorld): void {
  describe(`the rules of ${name}`, () => {
    describe('making them', () => {
      testMaking(create);
    });
    describe('changing them', () => {
      testChanging(create);
    });
    describe('the history', () => {
      testRuleHistory(create);
    });
  });
}

function testMaking(create: CreateRulesWorld): void {
  const world = useRules(create);

  test('a rule decides what is asked from then on, and nothing that was asked before', async () => {
    const before = await world.run('npm test');
    const rule = await world.rules.add(NPM_TEST);
    const after = await world.run('npm test');
    expect(after).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: { who: rule.createdBy, via: `rule:${rule.id}`, kind: 'rule' },
    });
    expect((await world.beckon.get(before.id))?.status).toBe('pending');
    expect((await world.run('npm test -- --all')).status).toBe('pending');
  });

  test('a rule has what its draft says, and what it leaves out has its usual value', async () => {
    const rule = await world.rules.add({ ...NPM_TEST, reason: 'Tests are safe', scope: { project: 'webshop' } });
    const { authorId, ...made } = rule;
    expect(['string', 'undefined']).toContain(typeof authorId);
    expect(made).toEqual({
      id: expect.stringMatching(/^rule_/),
      effect: 'allow',
      tool: 'Bash',
      match: { commands: [{ words: ['npm', 'test'], rest: 'none' }] },
      scope: { project: 'webshop' },
      mode: 'on',
      examples: { match: [], notMatch: [] },
      reason: 'Tests are safe',
      createdBy: 'root',
      createdAt: expect.any(String),
    });
    expect((await world.rules.get(rule.id))?.rule).toEqual(rule);
  });

  test('the list has the newest first, page by page', async () => {
    const made = [];
    for (const word of ['test', 'ci', 'ls']) {
      made.push(await world.rules.add({ ...NPM_TEST, match: { commands: [{ words: ['npm', word] }] } }));
    }
    const [a, b, c] = made;
    const first = await world.rules.list({ limit: 2 });
    expect(first.items).toEqual([
      { rule: c, hits: 0 },
      { rule: b, hits: 0 },
    ]);
    expect(await world.rules.list({ limit: 2, after: first.next })).toEqual({ items: [{ rule: a, hits: 0 }] });
  });

  test('how long from now becomes a time, and one that is over is refused', async () => {
    const rule = await world.rules.add({ ...NPM_TEST, until: '30m' });
    expect(Date.parse(rule.until ?? '')).toBe(Date.parse(rule.createdAt) + 1_800_000);
    const at = await world.rules.add({ ...GIT_PUSH, until: '2100-01-01T00:00:00Z' });
    expect(at.until).toBe('2100-01-01T00:00:00.000Z');
    for (const until of ['2020-01-01T00:00:00Z', 0]) {
      await expect(world.rules.add({ ...NPM_TEST, until })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('until'),
      });
    }
  });

  test.each<[string, unknown]>([
    ['no effect', { tool: 'Bash' }],
    ['a field that does not exist', { ...NPM_TEST, tools: [] }],
    ['every tool', { effect: 'allow', tool: '*' }],
    ['a program that runs its arguments', { ...NPM_TEST, match: { commands: [{ words: ['sudo'], rest: 'any' }] } }],
    ['an example that it does not match', { ...NPM_TEST, examples: { match: ['npm run build'] } }],
    ['to deny what it must not match', { ...NPM_TEST, effect: 'deny', examples: { notMatch: ['npm test'] } }],
  ])('a draft with %s is refused, and the message says why', async (_, draft) => {
    await expect(world.rules.add(draft as RuleDraft)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/\w{3}/),
    });
    expect((await world.rules.list()).items).toEqual([]);
  });

  test('what a person denied is not allowed by a rule that nobody confirmed', async () => {
    await world.decide('git push origin main', 'allow');
    await world.decide('git push --tags', 'deny');
    await expect(world.rules.add(GIT_PUSH)).rejects.toMatchObject({
      code: 'rule_contradicts',
      message: expect.stringMatching(/git push --tags.*confirm/s),
    });
    expect((await world.rules.list()).items).toEqual([]);
  });

  test('a confirmed rule leaves alone what a person denied, and allows the rest', async () => {
    await world.decide('git push --tags', 'deny');
    const rule = await world.rules.add(GIT_PUSH, { confirm: true });
    expect(rule.examples.notMatch).toEqual(['git push --tags']);
    expect((await world.run('git push --tags')).status).toBe('pending');
    expect((await world.run('git push --tags origin')).status).toBe('pending');
    expect((await world.run('git push origin main')).status).toBe('answered');
  });

  test('an example that must not match, but does, needs the same confirmation', async () => {
    const draft = { ...GIT_PUSH, examples: { notMatch: ['git push origin main'] } };
    await expect(world.rules.add(draft)).rejects.toMatchObject({ code: 'rule_contradicts' });
    const rule = await world.rules.add(draft, { confirm: true });
    expect((await world.run('git push origin main')).status).toBe('pending');
    // Whoever edits it later has confirmed nothing new.
    const edited = await world.rules.edit(rule.id, { reason: 'Except main' });
    expect(edited.examples.notMatch).toEqual(['git push origin main']);
  });

  test('a rule that only watches decides nothing and is counted', async () => {
    const rule = await world.rules.add({ ...NPM_TEST, mode: 'watch' });
    expect((await world.run('npm test')).status).toBe('pending');
    expect((await world.rules.list()).items).toEqual([{ rule, hits: 1, lastHitAt: expect.any(String) }]);
  });
}

function testChanging(create: CreateRulesWorld): void {
  const world = useRules(create);

  test('an edit changes what it names, null removes a field, and the rest stays', async () => {
    const rule = await world.rules.add({ ...NPM_TEST, reason: 'Tests', scope: { project: 'webshop' }, until: '1h' });
    const { reason: _, until: __, ...rest } = rule;
    const edited = await world.rules.edit(rule.id, { effect: 'ask', reason: null, until: null });
    expect(edited).toEqual({ ...rest, effect: 'ask' });
    expect((await world.rules.get(rule.id))?.rule).toEqual(edited);
  });

  test.each<[string, object]>([
    ['removes what every rule has', { effect: null }],
    ['names an unknown field', { tools: [] }],
    ['makes it wider than any rule may be', { tool: '*', match: null }],
  ])('an edit that %s is refused', async (_, change) => {
    const rule = await world.rules.add(NPM_TEST);
    await expect(world.rules.edit(rule.id, change)).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await world.rules.get(rule.id))?.rule).toEqual(rule);
  });

  test('an edit is held to what people denied, as a new rule is', async () => {
    await world.decide('git push --tags', 'deny');
    const rule = await world.rules.add(NPM_TEST);
    const change = { match: GIT_PUSH.match ?? null };
    await expect(world.rules.edit(rule.id, change)).rejects.toMatchObject({ code: 'rule_contradicts' });
    const edited = await world.rules.edit(rule.id, change, { confirm: true });
    expect(edited.examples.notMatch).toEqual(['git push --tags']);
  });

  test('edits at the same time both count', async () => {
    const rule = await world.rules.add(NPM_TEST);
    await Promise.all([world.rules.edit(rule.id, { reason: 'Tests' }), world.rules.edit(rule.id, { mode: 'watch' })]);
    expect((await world.rules.get(rule.id))?.rule).toMatchObject({ reason: 'Tests', mode: 'watch' });
  });

  test('a removed rule decides nothing any more, and what it decided stays', async () => {
    const rule = await world.rules.add(NPM_TEST);
    const decided = await world.run('npm test');
    expect(await world.rules.remove(rule.id)).toBe(true);
    expect(await world.rules.remove(rule.id)).toBe(false);
    expect(await world.rules.get(rule.id)).toBeNull();
    expect((await world.run('npm test')).status).toBe('pending');
    expect((await world.beckon.get(decided.id))?.status).toBe('answered');
    await expect(world.rules.edit(rule.id, { reason: 'x' })).rejects.toMatchObject({ code: 'rule_not_found' });
  });
}
