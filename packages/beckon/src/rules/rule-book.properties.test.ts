import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Effect, Rule } from '../protocol/rule.ts';
import { createApproval, createRule, ROOT, toCommands } from '../testing/harness/rules.ts';
import { checkExamples, fromExample, toExample } from './examples.ts';
import { matchRule } from './match-rule.ts';
import { compileRules } from './rule-book.ts';

const AT = '2026-01-02T00:00:00.000Z';
const WORDS = [
  'npm',
  'git',
  'ls',
  'test',
  'push',
  '-x',
  '--run',
  'src/a.ts',
  'tail',
  '$x',
  '"a b"',
  '&&',
  ';',
  '|',
  '2>&1',
  '\n',
  '> a',
];

const NAMES = ['npm', 'git', 'ls', 'test', 'push', 'tail'];

const match = fc.oneof(
  fc
    .tuple(fc.constantFrom(...NAMES), fc.array(fc.constantFrom(...NAMES, '…'), { maxLength: 2 }))
    .map(([first, words]) => toCommands([first, ...words].join(' '))),
  fc.constantFrom('src/**', '**', '*.ts', '/etc/*', '**/.env').map((path) => ({ path })),
  fc.constantFrom('a.example', '*.a.example').map((domain) => ({ domain })),
  fc.constantFrom({ command: 'ls' }, { url: 'https://a.example/' }, {}).map((input) => ({ input })),
);
const rule: fc.Arbitrary<Rule> = fc
  .record({
    effect: fc.constantFrom<Effect>('allow', 'ask', 'deny'),
    tool: fc.constantFrom('Bash', 'Edit', 'Read', 'WebFetch', '*', 'mcp__a__*', 'mcp__a__b', 'deploy'),
    match: fc.option(match, { nil: undefined }),
    mode: fc.constantFrom<'on' | 'watch'>('on', 'on', 'watch'),
    sessionId: fc.constantFrom(undefined, undefined, 's1'),
    until: fc.constantFrom(undefined, undefined, AT, '2027-01-01T00:00:00Z', 'x'),
  })
  .map(({ match: given, sessionId, until, ...fields }) =>
    createRule({
      ...fields,
      ...(given !== undefined && { match: given }),
      ...(until !== undefined && { until }),
      scope: sessionId === undefined ? {} : { sessionId },
    }),
  );
const rules = fc
  .array(rule, { maxLength: 6 })
  .map((list) => list.map((one, index) => ({ ...one, id: `rul_${index}` })));

const path = fc.constantFrom('src/a.ts', 'a.ts', '../x', '/etc/a', '.env', '~/x');
const approval: fc.Arbitrary<InteractionOf<'approval'>> = fc
  .record({
    request: fc.oneof(
      fc
        .array(fc.constantFrom(...WORDS), { maxLength: 8 })
        .map((words) => ({ tool: 'Bash', input: { command: words.join(' ') } })),
      path.map((file) => ({ tool: 'Edit', input: { file_path: file } })),
      fc
        .constantFrom('https://a.example/', 'https://b.a.example', 'x')
        .map((url) => ({ tool: 'WebFetch', input: { url } })),
      fc.constantFrom('mcp__a__b', 'mcp__a__c', 'deploy').map((tool) => ({ tool, input: {} })),
    ),
    sessionId: fc.constantFrom('s1', 's2'),
    isSeen: fc.boolean(),
  })
  .map(({ request, sessionId, isSeen }) => {
    const files = [{ path: `${ROOT}/src/a.ts`, ...(isSeen && { isSeen: true as const }) }];
    return createApproval(request.tool, request.input, { sessionId, context: { root: ROOT, folder: ROOT, files } });
  });

const STRICTNESS: Readonly<Record<string, number>> = { allow: 0, null: 1, ask: 1, deny: 2 };
const strictness = (effect: Effect | null): number => STRICTNESS[String(effect)] ?? -1;

test('a rule that asks or denies never makes a decision milder, wherever it stands', () => {
  fc.assert(
    fc.property(rules, rule, approval, fc.nat(6), (given, added, asked, at) => {
      fc.pre(added.effect !== 'allow');
      const before = compileRules(given).decide(asked, AT).effect;
      const after = compileRules(given.toSpliced(at, 0, added)).decide(asked, AT).effect;
      expect(strictness(after)).toBeGreaterThanOrEqual(strictness(before));
    }),
    { numRuns: 500 },
  );
});

test('deny beats everything, and a rule that matches alone decides alone', () => {
  fc.assert(
    fc.property(rules, approval, (all, asked) => {
      const live = all.filter(({ until, mode }) => until === undefined && mode === 'on');
      const { effect, rules: named, why } = compileRules(live).decide(asked, AT);
      const isAlone = (wanted: Effect): boolean =>
        live.some((one) => one.effect === wanted && matchRule(one, asked).matches);
      // Together, rules may allow what none of them allows alone.
      const given = why === undefined ? (effect ?? 'none') : 'dangerous';
      const expected = isAlone('deny')
        ? ['deny']
        : isAlone('ask')
          ? ['ask']
          : isAlone('allow')
            ? ['allow', 'dangerous']
            : ['allow', 'dangerous', 'none'];
      expect(expected).toContain(given);
      expect(named.every((one) => one.effect === effect)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('what is in watch, over or stopped changes no decision', () => {
  fc.assert(
    fc.property(
      rules,
      rule,
      approval,
      fc.constantFrom<Partial<Rule>>({ mode: 'watch' }, { stopped: { at: AT, why: 'x' } }, { until: AT }),
      (given, added, asked, off) => {
        const { effect, rules: named } = compileRules(given).decide(asked, AT);
        const after = compileRules([{ ...added, ...off }, ...given]).decide(asked, AT);
        expect([after.effect, after.rules]).toEqual([effect, named]);
      },
    ),
    { numRuns: 500 },
  );
});

test('a request that a rule decides is an example that holds', () => {
  let matched = 0;
  fc.assert(
    fc.property(rule, approval, (given, asked) => {
      const one = { ...given, effect: 'allow' as const, tool: asked.request.tool, scope: {} };
      if (one.match === undefined || !matchRule(one, asked).matches) return;
      matched += 1;
      const example = toExample(asked);
      expect(checkExamples({ ...one, examples: { match: [example], notMatch: [] } })).toBeNull();
      expect(matchRule({ ...one, examples: { match: [], notMatch: [example] } }, asked).matches).toBe(false);
    }),
    { numRuns: 4000 },
  );
  expect(matched).toBeGreaterThan(10);
});

test('nothing that an agent sends makes it throw', () => {
  const book = compileRules(
    ['Bash', 'Edit', 'Read', 'WebFetch', '*', 'mcp__a__*', 'deploy'].flatMap((tool) =>
      [undefined, toCommands('npm test …'), { path: 'src/**' }, { domain: '*.a.example' }, { input: { a: 1 } }].flatMap(
        (given) =>
          (['allow', 'ask'] as const).map((effect) =>
            createRule({
              effect,
              tool,
              mode: 'watch',
              scope: tool === 'Read' ? { folder: '/x' } : {},
              ...(given !== undefined && { match: given }),
            }),
          ),
      ),
    ),
  );
  const field = fc.constantFrom(
    'command',
    'cmd',
    'file_path',
    'path',
    'url',
    'patch',
    'edits',
    'workdir',
    'description',
    '__proto__',
    'x',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.array(fc.string()),
    fc.constantFrom('*** Begin Patch', 'a `', '$((', '<<E', 'https://[', '\\\\'),
  );
  const input = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.tuple(field, value)).map((entries) => Object.fromEntries(entries)),
  );
  const tool = fc.oneof(
    fc.constantFrom('Bash', 'Edit', 'Read', 'WebFetch', 'mcp__a__b', 'shell'),
    fc.string({ unit: 'binary' }),
  );
  const context = fc.oneof(
    fc.constant(undefined),
    fc.record({
      root: fc.string(),
      folder: fc.constantFrom('/a', 'C:\\a', '', '~'),
      files: fc.array(fc.record({ path: fc.string(), target: fc.string() })),
    }),
  );
  fc.assert(
    fc.property(tool, input, context, fc.string(), (name, given, around, at) => {
      const asked = createApproval(name, given as never, { context: around as never });
      expect(book.decide(asked, at).effect).toBeNull();
      expect(typeof toExample({ ...asked, request: { tool: name, input: Object(given) as never } })).toBe('string');
    }),
    { numRuns: 1000 },
  );
});

test('nor anything that a person writes as an example', () => {
  fc.assert(
    fc.property(rule, fc.string({ unit: 'binary' }), (one, text) => {
      expect(fromExample(one, text)).toHaveProperty('request.tool');
      checkExamples({ ...one, examples: { match: [text], notMatch: [text] } });
    }),
    { numRuns: 500 },
  );
});
