import { expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { Rule } from '../protocol/rule.ts';
import {
  allowCommands,
  createApproval,
  createBash,
  createEdit,
  createFetch,
  createRule,
  ROOT,
} from '../testing/harness/rules.ts';
import { checkDraft } from './check-draft.ts';
import { compileRules } from './rule-book.ts';

// What people want to be allowed, and is. Without it, rules that allow nothing would pass every attempt.

const AT = '2026-01-02T00:00:00.000Z';

test.for<[patterns: string[], text: string]>([
  [['npm test …'], 'npm test'],
  [['npm test …'], 'npm test -- --run api'],
  [['npm test …'], 'npm test -- src/cart/total.test.ts -t "adds up"'],
  [['npm test …'], 'npm test -- --coverage --reporter=dot'],
  [['npm test …'], 'npm test -- --reporter verbose'],
  [['npm test …', 'tail …'], 'npm test 2>&1 | tail -20'],
  [['npm test …', 'tail -20'], 'npm test 2>&1 | tail -20'],
  [['npm test …', 'grep …'], 'npm test 2>/dev/null | grep -i fail'],
  [['npm test …'], 'npm test > /dev/null 2>&1'],
  [['npm test …'], `cd ${ROOT} && npm test`],
  [['npm test …', 'npm run {build,lint}'], 'npm run lint && npm run build && npm test'],
  [['npm ci'], 'npm ci'],
  [['npm install'], 'npm install'],
  [['npm run {lint,build} …'], 'npm run lint -- --fix'],
  [['yarn test …'], 'yarn test --watch=false'],
  [['git add …', 'git commit …'], 'git add src/a.ts && git commit -m "x"'],
  [['git add …', 'git commit …'], "git add -A; git commit -m 'Fix the cart: a & b; $5'"],
  [['git add …', 'git commit …'], 'git add .\ngit commit -am "two lines\n\nof text"'],
  [['git status …'], 'git status --short --branch'],
  [['git {status,diff,log,show} …'], 'git diff --stat main..HEAD'],
  [['git {status,diff,log,show} …'], 'git log --oneline -n 20 --graph'],
  [['git {status,diff,log,show} …'], 'git show HEAD --name-only'],
  [['git push origin …'], 'git push origin feature/currency'],
  [['git push'], 'git push'],
  [['git fetch …'], 'git fetch --prune origin'],
  [['git checkout …'], 'git checkout -b fix/total'],
  [['git stash …'], 'git stash list'],
  [['ls …'], 'ls -la src'],
  [['ls …', 'wc …'], 'ls -1 src | wc -l'],
  [['cat …'], 'cat package.json src/a.ts'],
  [['head …', 'sort …'], 'sort -u names.txt | head -n 5'],
  [['grep …'], 'grep -rn --include=a.ts TODO src'],
  [['rg …'], 'rg -n --type ts "export function" src'],
  [['find …'], 'find src -name a.ts -type f -maxdepth 2'],
  [['find src …'], 'find src -newer package.json'],
  [['sed -n 1,40p …'], 'sed -n 1,40p src/a.ts'],
  [['jq .version …'], 'jq .version package.json'],
  [['make test …'], 'make test -j 4'],
  [['make {test,lint}'], 'make lint && make test'],
  [['cargo test …'], 'cargo test --release cart -- --nocapture'],
  [['cargo {build,check,clippy} …'], 'cargo clippy --all-targets'],
  [['go test …'], 'go test -run TestTotal -count=1 ./cart/...'],
  [['go build …'], 'go build ./...'],
  [['pytest …'], 'pytest -x -q tests/test_cart.py -k total'],
  [['python -m pytest …'], 'python -m pytest -q tests'],
  [['python manage.py test …'], 'python manage.py test cart --keepdb'],
  [['node scripts/build.mjs …'], 'node scripts/build.mjs --fast'],
  [['./scripts/check.sh'], './scripts/check.sh'],
  [['tsc --noEmit …'], 'tsc --noEmit --strict'],
  [['vitest run …'], 'vitest run src/cart --project pure'],
  [['eslint …'], 'eslint --fix src'],
  [['prettier --check …'], 'prettier --check src'],
  [['docker ps …'], 'docker ps -a'],
  [['docker compose up -d'], 'docker compose up -d'],
  [['docker logs …'], 'docker logs --tail 100 web'],
  [['kubectl get pods …'], 'kubectl get pods -n shop -o wide'],
  [['gh pr view …'], 'gh pr view 12 --comments'],
  [['gh pr create …'], 'gh pr create --title "Currency" --body "As discussed"'],
  [['curl https://api.example.com/health …'], 'curl https://api.example.com/health -s'],
  [['mkdir …'], 'mkdir -p src/cart/currency'],
  [['rm dist/index.js'], 'rm dist/index.js'],
  [['echo …'], 'echo "done; all of it"'],
  [['terraform plan …'], 'terraform plan -no-color'],
  [['mytool …'], 'mytool check --verbose src'],
])('%j allow %j', ([patterns, text]) => {
  const rules = patterns.map((pattern, index) => ({ ...allowCommands(pattern), id: `rul_${index}` }));
  for (const rule of rules) expect(checkDraft(rule)).toBeNull();
  const { effect, rules: named } = compileRules(rules).decide(createBash(text), AT);
  expect(effect).toBe('allow');
  // Each one that was needed is named, and the first command's is first.
  expect(named[0]?.id).toBeDefined();
});

test.for<[rule: Partial<Rule>, interaction: InteractionOf<'approval'>]>([
  [{ tool: 'Edit', match: { path: 'src/**' } }, createEdit('src/cart/total.ts')],
  [{ tool: 'Edit', match: { path: 'src/**' } }, createEdit(`${ROOT}/src/cart/total.ts`, { tool: 'Write' })],
  [{ tool: 'Edit', match: { path: './src/**' } }, createEdit('src/./cart/../total.ts')],
  [{ tool: 'Edit', match: { path: '**' } }, createEdit('README.md')],
  [{ tool: 'Edit', match: { path: '**/*.md' } }, createEdit('docs/a/b.md')],
  [{ tool: 'Edit', match: { path: `${ROOT}/docs/*.md` } }, createEdit('docs/a.md')],
  [{ tool: 'Edit', match: { path: 'src/**' } }, createEdit('src/link.ts', { target: `${ROOT}/src/real.ts` })],
  [{ tool: 'Edit', match: { path: '.idea/**' } }, createEdit('.idea/modules.xml')],
  [{ tool: 'Write', match: { path: 'src/**' } }, createEdit('src/new.ts', { tool: 'Write' })],
  [{ tool: 'Edit', match: { path: 'src/[a]/{b}/!c.ts' } }, createEdit('src/[a]/{b}/!c.ts')],
  [
    { tool: 'Read', match: { path: 'docs/**' } },
    { ...createEdit('docs/a.md'), request: { tool: 'Read', input: { file_path: 'docs/a.md', limit: 20 } } },
  ],
  [{ tool: 'WebFetch', match: { domain: 'docs.example.com' } }, createFetch('https://docs.example.com/guide?x=1#y')],
  [{ tool: 'WebFetch', match: { domain: 'Docs.Example.com' } }, createFetch('https://DOCS.example.com')],
  [{ tool: 'WebFetch', match: { domain: '*.example.com' } }, createFetch('http://a.b.example.com/')],
  [{ tool: 'mcp__github__*' }, createApproval('mcp__github__get_issue', { number: 1 })],
  [{ tool: 'mcp__plugin_db_main__*' }, createApproval('mcp__plugin_db_main__query', {})],
  [{ tool: 'mcp__github__get_issue' }, createApproval('mcp__github__get_issue', { number: 1 })],
  [
    { tool: 'mcp__db__query', match: { input: { sql: 'select 1', a: { b: 1, c: 2 } } } },
    createApproval('mcp__db__query', { a: { c: 2, b: 1 }, sql: 'select 1' }),
  ],
  [{ tool: 'Glob' }, createApproval('Glob', { pattern: '**/*.ts' })],
  [{ tool: 'Bash', match: { input: { command: 'npm test' } } }, createApproval('Bash', { command: 'npm test' })],
  [
    { tool: 'shell', match: { commands: [{ words: ['ls'], rest: 'none' }] } },
    createApproval('shell', { command: ['bash', '-lc', 'ls'] }),
  ],
  [
    { tool: 'Bash', match: { commands: [{ words: ['ls'], rest: 'none' }] } },
    createApproval('run_shell_command', { command: 'ls' }),
  ],
])('the rule %j allows it', ([rule, interaction]) => {
  const whole = createRule(rule);
  expect(checkDraft(whole)).toBeNull();
  expect(compileRules([whole]).decide(interaction, AT).effect).toBe('allow');
});
