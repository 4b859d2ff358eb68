import { expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Rule } from '../protocol/rule.ts';
import {
  createApproval,
  createBash,
  createEdit,
  createFetch,
  createRule,
  ROOT,
  toCommands,
} from '../testing/harness/rules.ts';
import { checkExamples, fromExample, listContradictions, toExample } from './examples.ts';
import { matchRule } from './match-rule.ts';

const withExamples = (rule: Partial<Rule>, match: string[], notMatch: string[] = []): Rule =>
  createRule({ ...rule, examples: { match, notMatch } });

test.for<[rule: Partial<Rule>, holding: string[], failing: string[]]>([
  [{ match: toCommands('npm test …') }, ['npm test', 'npm test && npm test x'], ['npm', 'npm test; ls', 'npm test $x']],
  [
    { tool: 'Edit', match: { path: 'src/**' } },
    ['src/a.ts', '/project/src/a.ts'],
    ['a.ts', '/src/a.ts', '~/src/a.ts', ''],
  ],
  [{ tool: 'Read', match: { path: 'src/**' } }, ['src/a.ts'], ['a.ts']],
  [
    { tool: 'Edit', match: { path: 'src/**' }, scope: { folder: '/srv', project: 'a' } },
    ['/srv/src/a'],
    ['/project/src/a'],
  ],
  [{ tool: 'WebFetch', match: { domain: 'a.example' } }, ['https://a.example/x'], ['https://b.example', 'a.example']],
  [{ tool: 'mcp__a__*' }, ['mcp__a__b', '{"x":1}'], ['mcp__b__a', 'b', '{x']],
  [{ tool: 'mcp__a__b', match: { input: { x: 1 } } }, ['{"x":1}'], ['{"x":2}', 'mcp__a__b', '[1]']],
  [{ tool: 'deploy' }, ['deploy', '{"to":"x"}'], ['Deploy']],
  [{ effect: 'deny', tool: '*', match: toCommands('rm …') }, ['rm x', 'ls; rm x'], ['ls']],
  [{ effect: 'deny', tool: '*', match: { path: '**/.env' } }, ['.env', '~/.env'], ['a.ts']],
  [{ effect: 'deny', tool: '*', match: { domain: 'a.example' } }, ['https://a.example'], ['https://b.example']],
  [{ effect: 'deny', tool: '*' }, ['Bash', 'Edit', 'WebFetch', 'deploy', 'mcp__a__b'], []],
  [
    { effect: 'deny', tool: 'shell', match: toCommands('rm …'), scope: { sessionId: 's', chatId: 'c', askedBy: 'a' } },
    ['rm x'],
    ['ls'],
  ],
])('the examples of %j', ([rule, holding, failing]) => {
  expect(checkExamples(withExamples(rule, holding))).toBeNull();
  for (const example of failing) {
    expect(checkExamples(withExamples(rule, [example]))).toMatch(
      /^The rule does not match its example .*: [A-Z`].*\.$/s,
    );
  }
});

test('what a rule must not match', () => {
  const allow = withExamples({ match: toCommands('npm test …') }, ['npm test'], ['npm test x', 'ls']);
  expect(checkExamples(allow)).toBeNull();
  expect(listContradictions(allow)).toEqual(['npm test x']);
  const deny = withExamples({ effect: 'deny', match: toCommands('rm …') }, ['rm x'], ['ls']);
  expect(checkExamples(deny)).toBeNull();
  expect(checkExamples({ ...deny, examples: { match: [], notMatch: ['ls; rm x'] } })).toBe(
    'The rule matches "ls; rm x", which it must not match.',
  );
  // An allowing rule leaves its own example alone.
  expect(checkExamples(withExamples({ match: toCommands('npm test …') }, ['npm test'], ['npm test']))).toContain(
    'leaves this alone',
  );
});

test.for<[rule: Partial<Rule>, notMatch: string, left: InteractionOf<'approval'>[], kept: InteractionOf<'approval'>[]]>(
  [
    [
      { match: toCommands('npm test …') },
      'npm test deploy',
      [createBash('npm test deploy'), createBash('npm test deploy now'), createBash('npm test; npm test deploy')],
      [createBash('npm test'), createBash('npm test deploys')],
    ],
    [
      { match: toCommands('npm test …') },
      'npm test a && npm test b',
      [createBash('npm test b x; npm test a')],
      [createBash('npm test a')],
    ],
    [{ match: toCommands('npm test …') }, 'npm test $x', [], [createBash('npm test x')]],
    [
      { tool: 'Edit', match: { path: 'src/**' } },
      'src/a.ts',
      [createEdit('src/a.ts'), createEdit('src/b/../a.ts'), createEdit('src/b.ts', { target: `${ROOT}/src/a.ts` })],
      [createEdit('src/b.ts')],
    ],
    [
      { tool: 'WebFetch', match: { domain: 'a.example' } },
      'https://a.example/x',
      [createFetch('https://a.example/x')],
      [createFetch('https://a.example/y')],
    ],
    [{ tool: 'mcp__a__*' }, 'mcp__a__b', [createApproval('mcp__a__b', { x: 1 })], [createApproval('mcp__a__c', {})]],
    [
      { tool: 'deploy' },
      '{"to":"x"}',
      [createApproval('deploy', { to: 'x' })],
      [createApproval('deploy', { to: 'y' })],
    ],
  ],
)('the rule %j leaves %j alone', ([rule, notMatch, left, kept]) => {
  const whole = withExamples(rule, [], [notMatch]);
  for (const interaction of left) {
    expect(matchRule({ ...whole, examples: { match: [], notMatch: [] } }, interaction).matches).toBe(true);
    expect(matchRule(whole, interaction)).toEqual({
      matches: false,
      why: expect.stringContaining('leaves this alone'),
    });
  }
  for (const interaction of kept) expect(matchRule(whole, interaction).matches).toBe(true);
});

test.for<[interaction: InteractionOf<'approval'>, example: string]>([
  [createBash('npm test'), 'npm test'],
  [createEdit('src/a.ts'), 'src/a.ts'],
  [createEdit(`${ROOT}/src/../b.ts`), 'b.ts'],
  [createEdit('/etc/a'), '/etc/a'],
  [createEdit('~/a'), '~/a'],
  [createFetch('https://a.example/x'), 'https://a.example/x'],
  [createApproval('mcp__a__b', { x: 1 }), '{"x":1}'],
  [createApproval('mcp__a__b', {}), 'mcp__a__b'],
  [createApproval('deploy', { text: 'x'.repeat(1_000_000) }), 'deploy'],
  [
    createApproval('apply_patch', { patch: '*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** End Patch' }),
    '{"patch":"*** Begin Patch\\n*** Delete File: a\\n*** Delete File: b\\n*** End Patch"}',
  ],
  [{ ...createEdit('a.ts'), context: {} }, 'a.ts'],
])('a request is an example of itself: %#', ([interaction, example]) => {
  expect(toExample(interaction)).toBe(example);
});

test('an example is asked as the rule would meet it', () => {
  const scope = { sessionId: 's', chatId: 'c', askedBy: 'a', project: 'p', folder: '/f' };
  expect(fromExample(createRule({ tool: 'Edit', scope }), 'a.ts')).toEqual({
    sessionId: 's',
    chatId: 'c',
    askedBy: 'a',
    context: { project: 'p', folder: '/f', root: '/f', files: [{ path: '/f/a.ts', isSeen: true }] },
    request: { tool: 'Edit', input: { file_path: 'a.ts' } },
  });
});

test('a rule is about approvals only', () => {
  const question = { ...createBash('ls'), kind: 'question' } as never;
  expect(matchRule(createRule(), question)).toEqual({ matches: false, why: 'Rules are about approvals only.' });
});
