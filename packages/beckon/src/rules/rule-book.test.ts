import { describe, expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Rule } from '../protocol/rule.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import {
  allowCommands,
  createApproval,
  createBash,
  createEdit,
  createFetch,
  createRule,
  ROOT,
  toCommands,
} from '../testing/harness/rules.ts';
import { compileRules } from './rule-book.ts';

const AT = '2026-01-02T00:00:00.000Z';

function decide(rules: readonly Rule[], interaction: InteractionOf<'approval'>): object {
  const { effect, rules: named, watching } = compileRules(rules).decide(interaction, AT);
  return {
    effect,
    by: named.map(({ id }) => id),
    watching: watching.map(({ rule, effect: would }) => `${rule.id} ${would}`),
  };
}

const allow = (id: string, pattern: string, fields: Partial<Rule> = {}): Rule => ({
  ...allowCommands(pattern),
  id,
  ...fields,
});
const deny = (id: string, pattern: string, fields: Partial<Rule> = {}): Rule =>
  createRule({ id, effect: 'deny', match: toCommands(pattern), ...fields });
const ask = (id: string, pattern: string, fields: Partial<Rule> = {}): Rule =>
  deny(id, pattern, { effect: 'ask', ...fields });

test('deny beats ask beats allow, in any order', () => {
  const rules = [allow('a', 'npm test …'), ask('b', 'npm test …'), deny('c', 'npm test --bail …')];
  for (const order of [rules, rules.toReversed()]) {
    expect(decide(order, createBash('npm test --bail'))).toEqual({ effect: 'deny', by: ['c'], watching: [] });
    expect(decide(order, createBash('npm test'))).toEqual({ effect: 'ask', by: ['b'], watching: [] });
    expect(
      decide(
        order.filter(({ effect }) => effect === 'allow'),
        createBash('npm test'),
      ),
    ).toEqual({ effect: 'allow', by: ['a'], watching: [] });
    expect(decide(order, createBash('ls'))).toEqual({ effect: null, by: [], watching: [] });
  }
});

test('the first of two alike decides', () => {
  expect(decide([deny('a', 'rm …'), deny('b', 'rm …')], createBash('rm x'))).toMatchObject({ by: ['a'] });
  expect(decide([allow('a', 'ls'), allow('b', 'ls …')], createBash('ls'))).toMatchObject({ by: ['a'] });
  expect(decide([allow('b', 'ls …'), allow('a', 'ls')], createBash('ls'))).toMatchObject({ by: ['b'] });
});

test('several rules cover a text together, the one of its first command first', () => {
  const rules = [allow('a', 'tail …'), allow('b', 'npm test …'), allow('c', 'ls')];
  expect(decide(rules, createBash('npm test | tail -5 && npm test'))).toEqual({
    effect: 'allow',
    by: ['b', 'a'],
    watching: [],
  });
  expect(decide(rules, createBash('npm test | tail -5 | sort'))).toEqual({ effect: null, by: [], watching: [] });
  expect(decide([...rules, deny('d', 'tail …')], createBash('npm test | tail'))).toMatchObject({
    effect: 'deny',
    by: ['d'],
  });
  // A rule of another session covers nothing.
  expect(
    decide(
      [{ ...allow('a', 'tail …'), scope: { sessionId: 's' } }, allow('b', 'npm test …')],
      createBash('npm test | tail'),
    ),
  ).toMatchObject({ effect: null });
});

describe('rules in watch', () => {
  const watch = { mode: 'watch' } as const;

  test('say what they would have said, and decide nothing', () => {
    const rules = [
      allow('a', 'npm test …', watch),
      deny('b', 'npm …', watch),
      ask('c', 'npm test', watch),
      allow('d', 'npm test'),
    ];
    expect(decide(rules, createBash('npm test'))).toEqual({
      effect: 'allow',
      by: ['d'],
      watching: ['a allow', 'b deny', 'c ask'],
    });
    expect(decide(rules.slice(0, 3), createBash('npm test'))).toEqual({
      effect: null,
      by: [],
      watching: ['a allow', 'b deny', 'c ask'],
    });
    expect(decide([...rules, deny('e', 'npm …')], createBash('npm test'))).toEqual({
      effect: 'deny',
      by: ['e'],
      watching: ['a allow', 'b deny', 'c ask'],
    });
    expect(decide(rules, createBash('ls'))).toEqual({ effect: null, by: [], watching: [] });
  });

  test('count with those that are on, for the rest of a text', () => {
    const rules = [allow('a', 'tail …', watch), allow('b', 'npm test …')];
    expect(decide(rules, createBash('npm test | tail'))).toEqual({ effect: null, by: [], watching: ['a allow'] });
    expect(decide(rules, createBash('npm test | tail | sort'))).toEqual({ effect: null, by: [], watching: [] });
    const both = [allow('a', 'tail …', watch), allow('b', 'npm test …', watch)];
    expect(decide(both, createBash('npm test | tail'))).toEqual({ effect: null, by: [], watching: [] });
    const edits = [createRule({ id: 'e', tool: 'Edit', match: { path: 'src/**' }, ...watch })];
    expect(decide(edits, createEdit('src/a.ts'))).toEqual({ effect: null, by: [], watching: ['e allow'] });
  });

  test('would not have allowed what is dangerous', () => {
    const dangerous = createBash('git push --force origin main');
    expect(assessRisk(dangerous).level).toBe('dangerous');
    expect(decide([allow('a', 'git push …', watch)], dangerous)).toEqual({ effect: null, by: [], watching: [] });
  });
});

test('no rule allows what is dangerous, and the decision says so', () => {
  const dangerous = createBash('git push --force origin main');
  const book = compileRules([allow('a', 'git push …')]);
  expect(book.decide(dangerous, AT)).toEqual({
    effect: null,
    rules: [],
    watching: [],
    why: 'A rule allows it, but it is dangerous, so a person decides.',
  });
  expect(book.decide(createBash('git push origin main'), AT).effect).toBe('allow');
  expect(decide([allow('a', 'git push …'), deny('b', 'git push …')], dangerous)).toMatchObject({ effect: 'deny' });
});

test('a rule counts until its end, and not at all once it is stopped', () => {
  const at = (rule: Rule, time: string): string | null => compileRules([rule]).decide(createBash('rm x'), time).effect;
  const rule = deny('a', 'rm …', { until: '2026-01-02T00:00:00.000Z' });
  expect(at(rule, '2026-01-01T23:59:59.999Z')).toBe('deny');
  expect(at(rule, '2026-01-02T00:00:00.000Z')).toBeNull();
  expect(at({ ...rule, until: '2026-01-02T01:00:00+01:00' }, '2026-01-01T23:59:59.999Z')).toBe('deny');
  // A time that nobody can read: what guards goes on, what allows does not.
  expect(at({ ...rule, until: 'x' }, AT)).toBe('deny');
  expect(at({ ...rule, stopped: { at: AT, why: 'x' } }, '2026-01-01T00:00:00.000Z')).toBeNull();
});

test('an empty book looks at nothing', () => {
  const hostile = new Proxy({} as InteractionOf<'approval'>, { get: () => expect.unreachable() });
  expect(compileRules([]).decide(hostile, AT)).toEqual({ effect: null, rules: [], watching: [] });
  const stopped = allow('a', 'ls', { stopped: { at: AT, why: 'x' } });
  expect(compileRules([stopped]).decide(hostile, AT).effect).toBeNull();
});

test('the same place: a cd to where the agent works anyway needs no rule', () => {
  const rules = [allow('a', 'ls')];
  expect(decide(rules, createBash(`cd ${ROOT} && ls`))).toMatchObject({ effect: 'allow', by: ['a'] });
  expect(decide(rules, createBash(`cd ${ROOT}`))).toMatchObject({ effect: null });
  const below = { ...createBash(`cd ${ROOT}/src; ls`), context: { root: ROOT, folder: `${ROOT}/src` } };
  expect(decide(rules, below)).toMatchObject({ effect: 'allow' });
  expect(decide(rules, { ...below, context: {} })).toMatchObject({ effect: null });
});

describe('ten thousand rules', () => {
  const many = (create: (index: number) => Partial<Rule>): Rule[] =>
    Array.from({ length: 10_000 }, (_, index) => createRule({ id: `rul_${index}`, ...create(index) }));
  const tool = 'Edit';

  test.for<[what: string, rules: Rule[], interaction: InteractionOf<'approval'>, effect: string | null, most: number]>([
    [
      'commands',
      many((index) => ({ match: toCommands(`npm run x${index} …`) })),
      createBash('npm run x77 -- a'),
      'allow',
      2,
    ],
    [
      'commands that none names',
      many((index) => ({ match: toCommands(`npm run x${index} …`) })),
      createBash('npm run y'),
      null,
      2,
    ],
    [
      'sessions',
      many((index) => ({ match: toCommands('npm test'), scope: { sessionId: `s${index}` } })),
      { ...createBash('npm test'), sessionId: 's9' },
      'allow',
      2,
    ],
    [
      'agents',
      many((index) => ({ match: toCommands('npm test'), scope: { askedBy: `a${index}` } })),
      { ...createBash('npm test'), askedBy: 'a9' },
      'allow',
      2,
    ],
    [
      'folders',
      many((index) => ({ tool, match: { path: `src/x${index}/**` } })),
      createEdit('src/x9/a/b.ts'),
      'allow',
      2,
    ],
    [
      'hosts',
      many((index) => ({ tool: 'WebFetch', match: { domain: `*.x${index}.example` } })),
      createFetch('https://a.b.x9.example/'),
      'allow',
      2,
    ],
    ['servers', many((index) => ({ tool: `mcp__x${index}__*` })), createApproval('mcp__x9__run', {}), 'allow', 2],
    [
      'inputs',
      many((index) => ({ tool: 'deploy', match: { input: { to: index } } })),
      createApproval('deploy', { to: 9 }),
      'allow',
      2,
    ],
    [
      'denied commands',
      many((index) => ({ effect: 'deny', match: toCommands(`x${index} …`) })),
      createBash('ls; sudo x9'),
      'deny',
      2,
    ],
    [
      'denied commands that none names',
      many((index) => ({ effect: 'deny', match: toCommands(`x${index} …`) })),
      createBash('npm test && ls src'),
      null,
      0,
    ],
    [
      'denied files',
      many((index) => ({ effect: 'deny', tool, match: { path: `**/x${index}/**` } })),
      createEdit('a/x9/b'),
      'deny',
      2,
    ],
    [
      'denied hosts',
      many((index) => ({ effect: 'deny', tool: '*', match: { domain: `x${index}.example` } })),
      createBash('curl https://x9.example'),
      'deny',
      2,
    ],
    [
      'denied servers',
      many((index) => ({ effect: 'deny', tool: `mcp__x${index}__*` })),
      createApproval('mcp__x9__run', {}),
      'deny',
      2,
    ],
    [
      'denied inputs',
      many((index) => ({ effect: 'deny', tool: 'deploy', match: { input: { to: index } } })),
      createApproval('deploy', { to: 9 }),
      'deny',
      2,
    ],
  ])('of %s: only those that may match are looked at', ([, rules, interaction, effect, most]) => {
    const effort = { tried: 0 };
    expect(compileRules(rules, effort).decide(interaction, AT).effect).toBe(effect);
    expect(effort.tried).toBeLessThanOrEqual(most);
  });
});
