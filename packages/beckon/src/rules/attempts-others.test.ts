import { describe, expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Rule } from '../protocol/rule.ts';
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

// Attempts to get past rules about addresses, tools of MCP servers and whole inputs, and past their scope.

const AT = '2026-01-02T00:00:00.000Z';
/** Not `null` because it is dangerous: no rule may allow it in the first place. */
const decide = (rules: readonly Rule[], interaction: InteractionOf<'approval'>): string | null => {
  const { effect, why } = compileRules(rules).decide(interaction, AT);
  return why ?? effect;
};

describe('addresses', () => {
  const rules = [
    createRule({ tool: 'WebFetch', match: { domain: 'docs.example.com' } }),
    createRule({ id: 'rul_2', tool: 'WebFetch', match: { domain: '*.example.org' } }),
  ];

  test.for<[url: string, why: string]>([
    ['https://example.com/', 'the host above'],
    ['https://evildocs.example.com/', 'it ends alike'],
    ['https://a.docs.example.com/', 'below the host'],
    ['https://docs.example.com.evil.net/', 'it begins alike'],
    ['https://docs.example.comevil.net/', 'it begins alike'],
    ['https://docs-example.com/', 'it looks alike'],
    ['https://docs.example.com@evil.net/', 'a user'],
    ['https://docs.example.com:x@evil.net/', 'a user and a password'],
    ['https://evil.net@docs.example.com/', 'a user'],
    ['https://@docs.example.com/', 'an empty user'],
    ['https://docs.example.com:8443/', 'another port'],
    ['https://docs.example.com:443/', 'a port'],
    ['https://docs.example.com:/', 'an empty port'],
    ['https://evil.net/docs.example.com', 'a path'],
    ['https://evil.net/?x=https://docs.example.com', 'a query'],
    ['https://evil.net#docs.example.com', 'a fragment'],
    ['https://evil.net\\@docs.example.com/', 'a backslash'],
    ['https://docs.example.com\\@evil.net/', 'a backslash'],
    ['https:\\\\docs.example.com/', 'backslashes'],
    ['https:/docs.example.com/', 'one slash'],
    ['https:docs.example.com', 'no slash'],
    ['https:///docs.example.com/', 'three slashes'],
    ['//docs.example.com/', 'no scheme'],
    ['docs.example.com', 'no scheme'],
    ['ftp://docs.example.com/', 'another scheme'],
    ['file://docs.example.com/etc/passwd', 'another scheme'],
    ['javascript:fetch("https://docs.example.com")', 'another scheme'],
    ['data:text/html,docs.example.com', 'another scheme'],
    ['view-source:https://docs.example.com/', 'another scheme'],
    ['HTTPS://docs.example.com/', 'a scheme that is not written as usual'],
    [' https://docs.example.com/', 'a space before'],
    ['https://docs.example.com/ x', 'a space inside'],
    ['https://docs.example.com/\nHost: evil.net', 'a line end'],
    ['https://docs.exa\tmple.com/', 'a tab that disappears'],
    ['https://docs.example.com./', 'a dot at the end'],
    ['https://docs..example.com/', 'two dots'],
    ['https://docs.example%2ecom/', 'an encoded dot'],
    ['https://docs.example.com%00.evil.net/', 'an encoded zero'],
    ['https://docs.example.com%2f@evil.net/', 'an encoded slash'],
    ['https://dоcs.example.com/', 'a Cyrillic letter'],
    ['https://xn--dcs-rmc.example.com/', 'a Cyrillic letter, encoded'],
    ['https://ｄocs.example.com/', 'a full-width letter'],
    ['https://docs。example。com/', 'other dots'],
    ['https://docs.example.com\u200b/', 'a letter without width'],
    ['https://127.0.0.1/', 'an address'],
    ['https://2130706433/', 'an address as a number'],
    ['https://[::1]/', 'an address of IPv6'],
    ['https://[::ffff:127.0.0.1]/', 'an address of IPv6'],
    ['https://localhost/', 'this machine'],
    ['https://example.org/', 'a star is not the host itself'],
    ['https://.example.org/', 'an empty name'],
    ['https://evilexample.org/', 'it ends alike'],
    ['https://a.example.org.evil.net/', 'it begins alike'],
    ['https://a.example.org:22/', 'another port'],
    ['https://', 'no host'],
    ['', 'nothing'],
    ['https://docs.example.com/\0', 'a character that ends a text for some'],
  ])('a person is asked about %j: %s', ([url]) => {
    expect(decide(rules, createFetch(url))).toBeNull();
  });

  test('a person is asked about addresses that are no text, and about fields that nobody knows', () => {
    const url = 'https://docs.example.com/';
    expect(decide(rules, createFetch(url))).toBe('allow');
    for (const input of [
      { url: [url] },
      { url: { href: url } },
      { URL: url },
      { url, method: 'POST' },
      { url, headers: {} },
      { url, body: 'x' },
      { url, prompt: {} },
      {},
    ]) {
      expect([JSON.stringify(input), decide(rules, createApproval('WebFetch', input as never))]).toEqual([
        JSON.stringify(input),
        null,
      ]);
    }
    expect(decide(rules, createApproval('webFetch', { url }))).toBeNull();
    expect(decide(rules, createBash(`curl ${url}`))).toBeNull();
  });
});

describe('tools of MCP servers, other tools and whole inputs', () => {
  const rules = [
    createRule({ tool: 'mcp__github__*' }),
    createRule({ id: 'rul_2', tool: 'mcp__files__read' }),
    createRule({
      id: 'rul_3',
      tool: 'mcp__db__query',
      match: { input: { sql: 'select 1', options: { a: 1, b: [2] } } },
    }),
    createRule({ id: 'rul_4', tool: 'deploy', match: { input: { to: 'staging' } } }),
    createRule({ id: 'rul_5', match: { input: { command: 'make deploy' } } }),
  ];

  test.for([
    'mcp__github__evil__run',
    'mcp__github___run',
    'mcp__github__',
    'mcp__github',
    'mcp__github_evil__run',
    'mcp__githubevil__run',
    'mcp__evil_github__run',
    'mcp__GitHub__run',
    'MCP__github__run',
    'mcp_github_run',
    'mcp__gіthub__run',
    'xmcp__github__run',
    ' mcp__github__run',
    'mcp__github\u200b__run',
    'mcp__*__run',
    'mcp__files__reads',
    'mcp__files__read ',
    'mcp__files__Read',
    'mcp__files__read__x',
    'mcp__db__query',
    'deploy',
    'Deploy',
    '*',
  ])('a person is asked about %j', (tool) => {
    expect(decide(rules, createApproval(tool, { x: 1 }))).toBeNull();
  });

  test.for<[tool: string, input: unknown, why: string]>([
    ['mcp__db__query', { sql: 'select 1' }, 'a field is missing'],
    ['mcp__db__query', { sql: 'select 1', options: { a: 1, b: [2] }, x: 1 }, 'one field more'],
    ['mcp__db__query', { sql: 'select 1', options: { a: 1, b: [2, 3] } }, 'one item more'],
    ['mcp__db__query', { sql: 'select 1', options: { a: '1', b: [2] } }, 'a text for a number'],
    [
      'mcp__db__query',
      {
        sql: 'select 1',
        options: [
          ['a', 1],
          ['b', [2]],
        ],
      },
      'a list for an object',
    ],
    ['mcp__db__query', { sql: 'select 1 ', options: { a: 1, b: [2] } }, 'a space more'],
    ['mcp__db__query', { sql: 'SELECT 1', options: { a: 1, b: [2] } }, 'case matters'],
    ['mcp__db__other', { sql: 'select 1', options: { a: 1, b: [2] } }, 'another tool'],
    ['deploy', { to: 'production' }, 'another value'],
    ['deploy', {}, 'nothing'],
    ['deploy', { to: 'staging', force: true }, 'one field more'],
    ['deploy', JSON.parse('{"to":"staging","__proto__":{"x":1}}'), 'one field more'],
    ['Bash', { command: 'make deploy', workdir: '/tmp' }, 'one field more'],
    ['Bash', { command: 'make  deploy' }, 'another text'],
    ['Bash', { command: ['make deploy'] }, 'another value'],
  ])('a person is asked about %s with %j: %s', ([tool, input]) => {
    expect(decide(rules, createApproval(tool, input as JsonObject))).toBeNull();
  });

  test('the whole input of a command or a file is held to the same', () => {
    const input = (tool: string, given: JsonObject): Rule => createRule({ tool, match: { input: given } });
    for (const command of ['bash -c "rm x"', 'sudo ls', 'make $(x)', 'cd /tmp', 'npm exec x', 'ls > x']) {
      const decision = decide([input('Bash', { command })], createApproval('Bash', { command }));
      expect([command, decision]).toEqual([command, null]);
    }
    const { request, context } = createEdit('src/a.ts');
    const rule = input('Edit', request.input);
    expect(decide([rule], createEdit('src/a.ts'))).toBe('allow');
    expect(decide([rule], createEdit('src/a.ts', { target: `${ROOT}/src/b.ts` }))).toBeNull();
    expect(decide([rule], createApproval('Edit', request.input, { context: { ...context, files: [] } }))).toBeNull();
    expect(decide([input('Edit', { x: 1 })], createApproval('Edit', { x: 1 }))).toBeNull();
  });
});

describe('whose requests, when, and how', () => {
  const npm = toCommands('npm test');
  const asked = (fields: Partial<InteractionOf<'approval'>>): InteractionOf<'approval'> => ({
    ...createBash('npm test'),
    ...fields,
  });

  test.for<[rule: Partial<Rule>, fields: Partial<InteractionOf<'approval'>>, why: string]>([
    [{ scope: { sessionId: 's1' } }, {}, 'no session'],
    [{ scope: { sessionId: 's1' } }, { sessionId: 's2' }, 'another session'],
    [{ scope: { sessionId: 's1' } }, { sessionId: 'S1' }, 'another session'],
    [{ scope: { sessionId: 's1' } }, { sessionId: 's1 ' }, 'another session'],
    [{ scope: { chatId: 'team' } }, {}, 'another chat'],
    [{ scope: { chatId: 'team' } }, { chatId: 'teams' }, 'another chat'],
    [{ scope: { askedBy: 'ci' } }, {}, 'nobody knows who asks'],
    [{ scope: { askedBy: 'ci' } }, { askedBy: 'ci2' }, 'another agent'],
    [{ scope: { askedBy: 'ci' } }, { metadata: { askedBy: 'ci' } }, 'only a claim'],
    [{ scope: { askedBy: 'ci' } }, { context: { agent: 'ci', root: ROOT, folder: ROOT } }, 'only a claim'],
    [{ scope: { project: 'api' } }, {}, 'another project'],
    [{ scope: { project: 'webshop' } }, { context: { root: ROOT, folder: ROOT } }, 'no project'],
    [{ scope: { project: 'webshop' } }, { context: { project: 'Webshop' } }, 'another project'],
    [{ scope: { folder: '/srv' } }, {}, 'another folder'],
    [{ scope: { folder: `${ROOT}/src` } }, {}, 'a folder below it'],
    [{ scope: { folder: '/home/ada/web' } }, {}, 'a folder that begins alike'],
    [{ scope: { folder: ROOT } }, { context: { root: `${ROOT}/../evil`, folder: ROOT } }, 'it leads out of the folder'],
    [{ scope: { folder: ROOT } }, { context: { root: '/tmp', folder: ROOT } }, 'the project is elsewhere'],
    [{ scope: { folder: ROOT } }, { context: {} }, 'no folder'],
    [{ scope: { folder: ROOT } }, { context: { root: '~/webshop' } }, 'nobody knows whose home'],
    [{ scope: { folder: ROOT, sessionId: 's1' } }, { sessionId: 's2' }, 'one of two'],
    [{ scope: { askedBy: 'ci', chatId: 'team' } }, { askedBy: 'ci' }, 'one of two'],
    [{ until: '2026-01-01T23:59:59.999Z' }, {}, 'it is over'],
    [{ until: AT }, {}, 'it is over at that moment'],
    [{ until: 'never' }, {}, 'a time that nobody can read'],
    [{ stopped: { at: AT, why: 'marked wrong' } }, {}, 'it was stopped'],
    [{ mode: 'watch' }, {}, 'it only watches'],
    [{ effect: 'ask' }, {}, 'it asks'],
    [{ tool: '*' }, {}, 'no rule allows every tool'],
    [{ tool: 'bash' }, {}, 'another tool'],
    [{ tool: 'Edit' }, {}, 'another tool'],
    [{ examples: { match: [], notMatch: ['npm test'] } }, {}, 'somebody denied it'],
    [{ examples: { match: [], notMatch: ['npm'] } }, {}, 'somebody denied what it begins with'],
    [{ examples: { match: [], notMatch: ['  npm   test '] } }, {}, 'somebody denied it'],
  ])('a person is asked with the rule %j about %j: %s', ([rule, fields]) => {
    expect(['ask', null]).toContain(decide([createRule({ match: npm, ...rule })], asked(fields)));
  });

  test('the same rules allow what they name', () => {
    const scope = { project: 'webshop', folder: '/home/ada', sessionId: 's1', chatId: 'team', askedBy: 'ci' };
    const rule = createRule({ match: npm, scope, until: '2026-01-02T00:00:00.001Z' });
    expect(decide([rule], asked({ sessionId: 's1', chatId: 'team', askedBy: 'ci' }))).toBe('allow');
  });

  test('rules without a match allow no command, file or address', () => {
    for (const tool of ['Bash', 'Edit', 'Read', 'WebFetch', 'shell', 'Write']) {
      const rule = createRule({ tool });
      for (const request of [
        createBash('ls'),
        createEdit('src/a.ts'),
        createEdit('src/a.ts', { tool: 'Write' }),
        createFetch('https://docs.example.com/'),
      ]) {
        expect(decide([rule], request)).toBeNull();
      }
    }
  });

  test('only approvals are decided', () => {
    const rule = createRule({ tool: '*', effect: 'deny' });
    const question = { ...createBash('ls'), kind: 'question', request: { question: 'q', options: [] } } as never;
    expect(compileRules([rule, allowCommands('ls')]).decide(question, AT)).toEqual({
      effect: null,
      rules: [],
      watching: [],
    });
  });
});
