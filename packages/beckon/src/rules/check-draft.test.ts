import { expect, test } from 'vitest';
import type { Rule } from '../protocol/rule.ts';
import { createRule, toCommands } from '../testing/harness/rules.ts';
import { checkDraft } from './check-draft.ts';

test.for<[rule: Partial<Rule>, says: string]>([
  [{ tool: '*' }, 'Name the tool, such as Bash'],
  [{ tool: 'mcp__*' }, 'mcp__server__*'],
  [{ tool: 'mcp__git*__*' }, 'mcp__server__*'],
  [{ tool: 'mcp____*' }, 'mcp__server__*'],
  [{ tool: 'mcp__' }, 'Name the tool or the server'],
  [{ tool: 'Edit*' }, 'mcp__server__*'],
  [{ tool: 'mcp__github__get_*' }, 'mcp__server__*'],
  [{ tool: 'mcp__a__b__*' }, 'Name each tool of it in full'],
  [{ tool: 'mcp__a___*' }, 'Name each tool of it in full'],
  [{ tool: 'Bash' }, 'Name the first words'],
  [{ tool: 'shell' }, 'Name the first words'],
  [{ tool: 'Edit' }, 'such as src/**'],
  [{ tool: 'Read' }, 'such as src/**'],
  [{ tool: 'WebFetch' }, 'Name a domain'],
  // Commands.
  [{ match: toCommands('bash …') }, 'no rule can allow it'],
  [{ match: toCommands('bash x.sh') }, 'no rule can allow it'],
  [{ match: toCommands('/usr/bin/env x') }, 'no rule can allow it'],
  [{ match: toCommands('SUDO ls') }, 'no rule can allow it'],
  [{ match: toCommands('{ls,sudo} …') }, 'no rule can allow it'],
  [{ match: toCommands('npx vitest') }, 'no rule can allow it'],
  [{ match: toCommands('npm exec x') }, 'no rule can allow it'],
  [{ match: toCommands('npm {test,exec} …') }, 'no rule can allow it'],
  [{ match: toCommands('git -c a=b filter-branch') }, 'no rule can allow it'],
  [{ match: toCommands('cd /tmp') }, 'no rule can allow it'],
  [{ match: toCommands('docker run x') }, 'no rule can allow it'],
  [{ match: toCommands('kubectl exec x') }, 'no rule can allow it'],
  [{ match: toCommands('git …') }, 'such as `git status`'],
  [{ match: toCommands('npm …') }, 'such as `npm test`'],
  [{ match: toCommands('docker …') }, 'such as `docker ps`'],
  [{ match: toCommands('make …') }, 'such as `make test`'],
  [{ match: toCommands('cargo …') }, 'such as `cargo test`'],
  [{ match: toCommands('git --no-pager …') }, 'too wide'],
  [{ match: toCommands('kubectl get …') }, 'too wide'],
  [{ match: toCommands('node …') }, 'name the file or module'],
  [{ match: toCommands('node -e …') }, 'name the file or module'],
  [{ match: toCommands('node --test …') }, 'name the file or module'],
  [{ match: toCommands('python3 -m …') }, 'name the file or module'],
  [{ match: toCommands('python3 -m timeit …') }, 'name the file or module'],
  [{ match: toCommands('python -m pdb x.py …') }, 'name the file or module'],
  [{ match: toCommands('sed -n …') }, 'name the file or module'],
  [{ match: toCommands('awk …') }, 'name the file or module'],
  [{ match: toCommands('rm …') }, 'let none follow'],
  [{ match: toCommands('tee …') }, 'let none follow'],
  [{ match: toCommands('tar -x …') }, 'let none follow'],
  [{ match: toCommands('psql -c …') }, 'let none follow'],
  [{ match: toCommands('npm install …') }, 'let none follow'],
  [{ match: toCommands('git config …') }, 'let none follow'],
  [{ match: toCommands('find . -exec …') }, 'name the value too'],
  [{ match: toCommands('mytool --config …') }, 'name the value too'],
  [{ match: toCommands('-x …') }, 'begin with the program'],
  [{ match: toCommands('A=b npm') }, 'begin with the program'],
  [{ match: { commands: [{ words: ['npm test'], rest: 'any' }] } }, 'begin with the program'],
  [
    { match: toCommands('{a,b,c,d,e,f,g,h} {a,b,c,d,e,f,g,h} {a,b,c,d,e,f,g,h} {a,b,c,d,e,f,g,h} {a,b,c,d,e,f,g,h}') },
    'several rules',
  ],
  [{ tool: 'Edit', match: toCommands('ls') }, 'Name the tool Bash'],
  [{ tool: 'deploy', match: toCommands('ls') }, 'Name the tool Bash'],
  // Paths.
  [{ tool: 'Edit', match: { path: '~/src/**' } }, 'home folder'],
  [{ tool: 'Edit', match: { path: 'src/../x' } }, 'without "." and ".."'],
  [{ tool: 'Edit', match: { path: 'src/./x' } }, 'without "." and ".."'],
  [{ tool: 'Edit', match: { path: 'src/' } }, '"src/**"'],
  [{ tool: 'Edit', match: { path: 'src//a' } }, 'empty name'],
  [{ tool: 'Edit', match: { path: '/**' } }, 'nearly everything'],
  [{ tool: 'Edit', match: { path: '/home/**' } }, 'nearly everything'],
  [{ tool: 'Edit', match: { path: '/*/a' } }, 'nearly everything'],
  [{ tool: 'Edit', match: { path: 'C:\\**' } }, 'nearly everything'],
  [{ tool: 'Edit', match: { path: 'a'.repeat(1025) } }, 'at most 1024'],
  [{ tool: 'deploy', match: { path: 'src/**' } }, 'Match its exact input'],
  [{ tool: 'Bash', match: { path: 'src/**' } }, 'Match its exact input'],
  // Hosts.
  [{ tool: 'WebFetch', match: { domain: 'com' } }, "not one owner's"],
  [{ tool: 'WebFetch', match: { domain: '*.com' } }, "not one owner's"],
  [{ tool: 'WebFetch', match: { domain: '*.co.uk' } }, "not one owner's"],
  [{ tool: 'WebFetch', match: { domain: '*.github.io' } }, "not one owner's"],
  [{ tool: 'WebFetch', match: { domain: '*' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'https://a.example' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'a.example/x' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'a.*.example' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'a.example:80' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'x@a.example' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'a.example.' } }, 'is no host'],
  [{ tool: 'WebFetch', match: { domain: 'a example' } }, 'is no host'],
  [{ tool: 'Bash', match: { domain: 'a.example' } }, 'Name the tool WebFetch'],
])('a rule that allows %j is refused: %s', ([rule, says]) => {
  const text = checkDraft(createRule(rule));
  expect(text).toContain(says);
  expect(text).toMatch(/^[`"A-Z].*\.$/s);
});

test.for<[rule: Partial<Rule>, says: string]>([
  [{ tool: 'mcp__*' }, 'mcp__server__*'],
  [{ tool: 'Edit', match: { path: '~/x' } }, 'home folder'],
  [{ tool: 'WebFetch', match: { domain: 'http://x' } }, 'is no host'],
  [{ tool: 'Edit', match: toCommands('ls') }, 'runs no commands'],
])('so is one that denies %j: %s', ([rule, says]) => {
  expect(checkDraft(createRule({ effect: 'deny', ...rule }))).toContain(says);
});

test.for<Partial<Rule>>([
  { tool: '*' },
  { tool: '*', match: { domain: '*.com' } },
  { tool: '*', match: toCommands('rm …') },
  { match: toCommands('bash …') },
  { match: toCommands('git …') },
  { tool: 'Bash' },
  { tool: 'mcp__a__b__*' },
  { tool: 'mcp__shell__run', match: toCommands('rm …') },
  { tool: 'Edit', match: { path: '/**' } },
  { tool: 'deploy', match: { path: '**/.env' } },
])('what denies or asks may be as wide as somebody wants: %j', (rule) => {
  expect(checkDraft(createRule({ effect: 'ask', ...rule }))).toBeNull();
});

test.for<Partial<Rule>>([
  { match: toCommands('git -C /srv/www pull') },
  { match: toCommands('rm dist/a.js') },
  { match: toCommands('node -e 1') },
  { match: toCommands('find . -exec ls') },
  { match: toCommands('prettier --write …') },
  { tool: 'WebFetch', match: { domain: 'localhost' } },
  { tool: 'WebFetch', match: { domain: '10.0.0.1' } },
  { tool: 'WebFetch', match: { domain: 'ada.github.io' } },
  { tool: 'Edit', match: { path: '/etc' } },
  { tool: 'Edit', match: { path: '**' } },
  { tool: 'Bash', match: { input: { command: 'ls' } } },
])('what is narrow may be allowed: %j', (rule) => {
  expect(checkDraft(createRule(rule))).toBeNull();
});
