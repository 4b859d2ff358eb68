import { expect, test } from 'vitest';
import { ATTEMPTED_RULES, COMMAND_ATTEMPTS } from '../testing/harness/command-attempts.ts';
import { allowCommands, createBash, createRule, ROOT, toCommands } from '../testing/harness/rules.ts';
import { compileRules } from './rule-book.ts';

const AT = '2026-01-02T00:00:00.000Z';
/** Not because it is dangerous: no rule allows it in the first place. */
const NOTHING = { effect: null, rules: [], watching: [] };

const BOOK = compileRules(ATTEMPTED_RULES.map((pattern, index) => ({ ...allowCommands(pattern), id: `rul_${index}` })));

test.for(COMMAND_ATTEMPTS)('a person is asked about %j: %s', ([text]) => {
  expect(BOOK.decide(createBash(text), AT)).toEqual(NOTHING);
});

test('there are enough attempts', () => {
  expect(new Set(COMMAND_ATTEMPTS.map(([text]) => text)).size).toBeGreaterThan(250);
});

test('nor does a rule that somebody stored before a program was known to run its arguments', () => {
  for (const pattern of [
    'bash …',
    'bash x.sh',
    'env …',
    'git …',
    'git -C …',
    'npm …',
    'node …',
    'make …',
    'tee …',
    'npm exec …',
  ]) {
    const rule = createRule({ match: toCommands(pattern) });
    const text = pattern === 'bash x.sh' ? pattern : pattern.replace('…', 'x');
    expect([text, compileRules([rule]).decide(createBash(text), AT)]).toEqual([text, NOTHING]);
  }
});

test('a folder in the call itself, and fields that nobody knows', () => {
  const rules = [
    allowCommands('npm test …'),
    createRule({ id: 'rul_2', match: toCommands('ls'), scope: { folder: ROOT } }),
  ];
  const isAllowed = (command: string, more: Record<string, never>): boolean =>
    compileRules(rules).decide(createBash(command, more), AT).effect === 'allow';
  const attempts: object[] = [
    { workdir: '/tmp' },
    { workdir: '..' },
    { cwd: `${ROOT}/../evil` },
    { cwd: `${ROOT}-evil` },
    { directory: '~' },
    { workdir: '' },
    { workdir: ['/tmp'] },
    { workdir: ROOT, cwd: '/tmp' },
    { env: { PATH: '/tmp' } },
    { shell: '/tmp/x' },
    { stdin: 'rm x' },
    { dangerouslyDisableSandbox: true },
    { sandbox: false },
    { cmd: 'rm x' },
    { script: 'rm x' },
    { args: ['x'] },
    { timeout: { valueOf: 1 } },
    { constructor: 'x' },
    { toString: 'x' },
    JSON.parse('{"__proto__":{"command":"rm x"}}') as object,
  ];
  for (const more of attempts) {
    expect([JSON.stringify(more), isAllowed('npm test', more as never)]).toEqual([JSON.stringify(more), false]);
    expect([JSON.stringify(more), isAllowed('ls', more as never)]).toEqual([JSON.stringify(more), false]);
  }
  expect(isAllowed('npm test', { workdir: `${ROOT}/packages/a` } as never)).toBe(true);
  expect(isAllowed('ls', { workdir: 'packages' } as never)).toBe(true);
});

test('a command that is no text', () => {
  const book = compileRules([allowCommands('npm test …', 'ls')]);
  for (const command of [
    ['npm', 'test'],
    ['ls'],
    { text: 'ls' },
    null,
    1,
    true,
    ['bash', '-c'],
    ['bash', '-x', 'ls'],
    ['evil', '-c', 'ls'],
    ['./bash', '-c', 'ls'],
    ['bash', '-c', 'ls', 'x'],
    ['bash', '-c', ['ls']],
  ]) {
    expect([command, book.decide(createBash(command as never), AT)]).toEqual([command, NOTHING]);
  }
  expect(book.decide(createBash(['bash', '-lc', 'ls']), AT).effect).toBe('allow');
});
