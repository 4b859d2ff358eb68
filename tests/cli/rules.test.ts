import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliBench, typeSlowly } from '../harness/cli.ts';

let bench: CliBench;
let post: (path: string, body: object) => Promise<Record<string, unknown>>;
let get: (path: string) => Promise<Record<string, unknown>>;

beforeAll(async () => {
  bench = await CliBench.open();
  const { url } = await bench.up();
  const token = (await readFile(join(bench.home, 'token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, init: RequestInit): Promise<Record<string, unknown>> =>
    (await (await fetch(`${url}${path}`, { ...init, headers })).json()) as Record<string, unknown>;
  post = (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) });
  get = (path) => call(path, {});
});
afterAll(() => bench.close());

const FOLDER = '/home/ada/webshop';

/** Asks for a command in a project. With a decision, a person answers it. */
async function ask(command: string, { project = 'webshop', decision }: { project?: string; decision?: string } = {}) {
  const context = { project, folder: FOLDER, root: FOLDER };
  const request = { tool: 'Bash', input: { command } };
  const { id } = await post('/v1/interactions', { kind: 'approval', request, context, sessionId: 'session-1' });
  if (decision !== undefined) await post(`/v1/interactions/${String(id)}/answer`, { answer: { decision } });
  return String(id);
}

const rules = (...args: string[]) => bench.run(['rules', ...args]);

async function add(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await rules('add', ...args, '--yes', '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return (JSON.parse(stdout) as { id: string }).id;
}

test('a rule is made, decides, is shown with what it did, is changed and revoked', async () => {
  expect(await rules('list')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no rules') });
  const id = await add(
    '--allow',
    'npm test',
    '--any-arguments',
    '--project',
    'shown',
    '--until',
    '30m',
    '--reason',
    'tests',
  );
  const asked = await ask('npm test -- --run api', { project: 'shown' });
  expect(await get(`/v1/interactions/${asked}`)).toMatchObject({
    status: 'answered',
    answer: { decision: 'allow' },
    answeredBy: { via: `rule:${id}`, kind: 'rule' },
  });
  expect(await get(`/v1/interactions/${await ask('npm test && git push', { project: 'shown' })}`)).toMatchObject({
    status: 'pending',
  });

  const listed = await rules('list');
  expect(listed.stdout).toMatch(/^ID +STATE +HITS +LAST +BY +RULE$/m);
  expect(listed.stdout).toMatch(
    new RegExp(`^${id} +on +1 .*Allow \`npm test\` with any arguments, in every project named shown, until`, 'm'),
  );
  const shown = (await rules('show', id)).stdout;
  expect(shown).toMatch(/^Reason +tests$/m);
  expect(shown).toMatch(/^Decided +1 request, the last one/m);
  expect(shown).toMatch(new RegExp(`${asked}.*allowed by .*npm test -- --run api`));

  expect((await rules('edit', id, '--watch', '--no-until')).stdout).toMatch(
    /^Changed .*Decide nothing, only note: allow `npm test`/,
  );
  expect(await get(`/v1/interactions/${await ask('npm test', { project: 'shown' })}`)).toMatchObject({
    status: 'pending',
  });
  expect(await rules('remove', id)).toMatchObject({ code: 0, stdout: `Removed ${id}.\n` });
  for (const command of ['remove', 'show']) {
    expect(await rules(command, id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('See: beckon rules list'),
    });
  }
});

test('before a rule is added, it says what it would have decided; what contradicts people needs --confirm', async () => {
  await ask('npm run build -- a', { decision: 'allow' });
  await ask('npm run build -- b', { decision: 'deny' });
  const args = ['--allow', 'npm run build', '--any-arguments', '--project', 'webshop'];
  const preview = (await rules('preview', ...args)).stdout;
  expect(preview).toMatch(/it would have decided 2: 1 allowed, 1 denied\./);
  expect(preview).toMatch(/A person decided otherwise 1 time:\n +int_.*denied by .*npm run build -- b/);

  expect(await rules('add', ...args)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/would have decided 2.*Cannot ask for confirmation without a terminal\. Add --yes/s),
  });
  expect(await rules('add', ...args, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/"npm run build -- b".*add --confirm/),
  });
  expect(JSON.parse((await rules('list', '--json')).stdout)).toMatchObject({ items: [] });
  const { stdout } = await rules('add', ...args, '--yes', '--confirm', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ examples: { notMatch: ['npm run build -- b'] } });
  expect((await rules('test', 'npm run build -- c', '--project', 'webshop')).stdout).toMatch(
    /^Allowed by a rule\.\n +rule_/,
  );
  expect((await rules('test', 'npm run build -- b', '--project', 'webshop')).stdout).toMatch(
    /^A person is asked\.\n +rule_.*\n +The rule leaves this alone/,
  );
  await rules('remove', (JSON.parse(stdout) as { id: string }).id);
});

test('on a terminal it asks before it adds, and once more about what contradicts people', async () => {
  await ask('npm run deploy', { project: 'asked', decision: 'deny' });
  const args = ['rules', 'add', '--allow', 'npm run deploy', '--project', 'asked'];
  const no = bench.startOnTerminal(args);
  // A terminal without a size has a letter a line.
  await no.seen(/◆/);
  await typeSlowly(no, 'n');
  expect(await bench.finish(no)).toMatchObject({ code: 5, stdout: expect.stringContaining('Nothing was changed.') });
  const yes = bench.startOnTerminal(args);
  await yes.seen(/◆/);
  await typeSlowly(yes, 'y');
  await yes.seen(/The rule would allow "npm run deploy"[\s\S]*◆/);
  await typeSlowly(yes, 'y');
  expect(await bench.finish(yes)).toMatchObject({ code: 0, stdout: expect.stringMatching(/Added rule_/) });
});

test.each<[string[], RegExp]>([
  [
    ['--allow', '--edit', 'src/**', '--folder', '/home/ada/webshop'],
    /^Allow edits under `src\/`, in \/home\/ada\/webshop\./,
  ],
  [['--deny', '--read', '**/.env'], /^Deny reading files named like `\*\*\/\.env`, everywhere\./],
  [
    ['--allow', '--fetch', 'docs.example.com', '--agent', 'laptop'],
    /^Allow fetching from `docs\.example\.com`, for laptop\./,
  ],
  [
    ['--ask', '--tool', 'mcp__github__*', '--chat', 'ops'],
    /^Ask before everything of the MCP server `github`, in the chat ops\./,
  ],
  [
    ['--allow', '--tool', 'deploy', '--input', '{"to":"test"}', '--session', 's'],
    /^Allow the tool `deploy` with exactly the input `\{"to":"test"\}`, in the session s\./,
  ],
  [['--deny', 'git push --force'], /^Deny `git push --force` with any arguments, everywhere\./],
  [['--allow', 'npm test | tail -20'], /^Allow exactly `npm test` and `tail -20`, everywhere\./],
  [
    ['--draft', '{"effect":"ask","tool":"Task","mode":"watch"}'],
    /^Decide nothing, only note: ask before the tool `Task`, everywhere\./,
  ],
])('preview %j', async (args, sentence) => {
  expect(await rules('preview', ...args)).toMatchObject({ code: 0, stdout: expect.stringMatching(sentence) });
});

test.each<[string[], RegExp]>([
  [['add'], /Expected one of --allow, --ask and --deny/],
  [['add', '--allow', 'a', '--deny', 'b'], /Expected one of --allow and --deny/],
  [['add', '--allow'], /Expected one thing to allow/],
  [['add', '--allow', 'ls', '--edit', 'x'], /Expected one thing to allow/],
  [['add', '--allow', '--edit', 'x', '--any-arguments'], /--any-arguments is for commands/],
  [['add', '--allow', 'ls', '--input', '{}'], /--input needs --tool/],
  [['add', '--allow', 'ls $HOME', '--yes'], /plain words/],
  [['add', '--allow', 'bash -c', '--any-arguments', '--yes'], /bash/],
  [['add', '--allow', 'ls', '--until', 'tomorrow'], /until: expected a time/],
  [['add', '--allow', 'ls', '--match', 'cat x', '--yes'], /does not match its example "cat x"/],
  [['add', '--draft', '{"effect":"maybe"}'], /effect/],
  [['add', '--offer', '2'], /--offer needs --like/],
  [['edit', 'rule_x', '--watch', '--on'], /No rule with id/],
  [['list', '--limit', 'many'], /--limit: expected a number/],
  [['test'], /Expected one call/],
  [['test', '--tool', 'x', '--input', '[]'], /expected a JSON object/],
  [['import', 'cursor'], /Expected one of claude-code, codex, opencode/],
])('%j says what is wrong', async (args, message) => {
  const { code, stderr } = await rules(...args);
  expect(stderr).toMatch(message);
  expect(code).not.toBe(0);
});

test('it says what the rules say about a call, and why no rule says anything', async () => {
  const allow = await add('--allow', 'npm test', '--any-arguments', '--project', 'tested');
  const deny = await add('--deny', 'git push --force', '--project', 'tested');
  const watch = await add('--ask', 'npm publish', '--watch', '--project', 'tested');
  const test = async (...args: string[]) =>
    (await rules('test', ...args, '--project', 'tested', '--folder', FOLDER)).stdout;
  expect(await test('npm test -- x')).toMatch(new RegExp(`^Allowed by a rule\\.\n +${allow} `));
  expect(await test('echo "$(git -C x push origin --force)"')).toMatch(new RegExp(`^Denied by a rule\\.\n +${deny} `));
  expect(await test('npm test && ls')).toBe('A person is asked.\nNo rule allows `ls`.\n');
  expect(await test('npm test > x')).toMatch(/No rule can allow this: the text is more than plain words/);
  expect(await test('npm publish')).toMatch(new RegExp(`In watch, would ask:\n +${watch} `));
  expect(await test('--edit', 'src/a.ts')).toBe('A person is asked.\nNo rule is about it.\n');
  expect(JSON.parse((await rules('test', 'npm test', '--project', 'tested', '--json')).stdout)).toMatchObject({
    effect: 'allow',
    ruleIds: [allow],
  });
});

test('what people allow again and again is suggested, made a rule, or dismissed for good', async () => {
  for (const command of ['git status', 'git diff']) {
    for (let time = 0; time < 5; time += 1) await ask(command, { project: 'suggested', decision: 'allow' });
  }
  const suggested = (await rules('suggest')).stdout;
  const [, key = ''] = /^(\S+) +Allow exactly `git status`, in suggested/m.exec(suggested) ?? [];
  const [, other = ''] = /^(\S+) +Allow exactly `git diff`, in suggested/m.exec(suggested) ?? [];
  expect(suggested).toMatch(/it would have decided 5: 5 allowed\./);
  const id = await add('--suggested', key);
  expect(await rules('dismiss', other)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Dismissed: Allow exactly `git diff`/),
  });
  expect((await rules('suggest')).stdout).not.toContain('suggested');
  expect(await rules('dismiss', other)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('See: beckon rules suggest'),
  });
  const asked = await ask('git status', { project: 'suggested' });
  expect(await get(`/v1/interactions/${asked}`)).toMatchObject({ answeredBy: { via: `rule:${id}` } });
});

test('a rule is made from a request, and stopped where it was wrong', async () => {
  const id = await ask('npm run lint -- --fix', { project: 'liked' });
  const offers = await rules('offers', id);
  expect(offers.stdout).toMatch(/^1 +Allow exactly `npm run lint -- --fix`, in liked/m);
  expect(offers.stdout).toMatch(/^2 +Allow `npm run lint` with any arguments, in liked/m);
  expect(offers.stdout).toMatch(/^3 +Allow .*in the session session-1, for 30 minutes\./m);
  expect((await rules('add', '--like', id, '--offer', '9', '--yes')).stderr).toMatch(/No offer 9.*There are 3 offers/);
  const rule = await add('--like', id, '--offer', '2');
  const first = await ask('npm run lint', { project: 'liked' });
  const second = await ask('npm run lint -- --quiet', { project: 'liked' });
  const wrong = await rules('wrong', first);
  expect(wrong.stdout).toMatch(new RegExp(`^Stopped ${rule}: Allow .*\n\nIt also decided 1 request:\n +${second} `));
  expect((await rules('show', rule)).stdout).toMatch(/^State +stopped/m);
  expect(await get(`/v1/interactions/${await ask('npm run lint', { project: 'liked' })}`)).toMatchObject({
    status: 'pending',
  });
  expect((await rules('edit', rule, '--on')).code).toBe(0);
  expect((await rules('show', rule)).stdout).toMatch(/^State +on/m);
  expect((await rules('offers', await ask('npm test > $OUT'))).stderr).toMatch(/No rule can allow this/);
});

test('imports what other agents allow and deny, says what it cannot, and adds nothing twice', async () => {
  const home = join(bench.folder, 'user');
  const project = join(bench.folder, 'shop');
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  };
  await write(join(home, '.claude/settings.json'), '{"permissions":{"deny":["Bash(npm run *:prod)"]}}');
  await write(
    join(project, '.claude/settings.json'),
    '{"permissions":{"allow":["Bash(npm run build *)","Bash(npm test *)"],"ask":["Bash(git push:*)"],"deny":["Read(./.env)"]}}',
  );
  await write(
    join(home, '.codex/rules/default.rules'),
    'prefix_rule(pattern=["cargo", "test"], match=["cargo test --all"])\n',
  );
  await write(
    join(home, '.config/opencode/opencode.jsonc'),
    '{ "permission": { "bash": { "rm *": "deny" } } } // mine',
  );
  const env = { HOME: home };
  const run = (...args: string[]) => bench.run(['rules', 'import', ...args], { env, cwd: project });

  const dry = await run('claude-code', '--dry-run');
  expect(dry.stdout).toMatch(/deny: Bash\(npm run \*:prod\)\n +✗ skipped: It denied this, and Beckon will not/);
  expect(dry.stdout).toMatch(/allow: Bash\(npm run build \*\)\n +– skipped: Part of it is not allowed/);
  expect(dry.stdout).toMatch(/allow: Bash\(npm test \*\)\n +→ Allow `npm test` with any arguments, in .*shop\./);
  expect((await run('claude-code')).stderr).toMatch(/Add --yes to add them, or --dry-run/);
  expect((await run('claude-code', '--yes')).stdout).toMatch(/Added 4 rules\.\n$/);
  expect((await run('claude-code', '--yes')).stdout).toMatch(/Added 0 rules\. 4 were there already\.\n$/);
  expect((await run('codex', '--watch', '--yes')).stdout).toMatch(/Decide nothing|Added 1 rule\./);
  expect(JSON.parse((await run('opencode', '--yes', '--json')).stdout)).toMatchObject({
    results: [{ from: 'bash: "rm *": deny', rule: { effect: 'deny' } }],
  });
  expect(await run('codex', 'missing.rules')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Cannot read'),
  });
  expect((await run('opencode', join(project, '.claude/settings.json'))).stderr).toMatch(/nothing to add/);
});

test('every command helps with examples', async () => {
  for (const name of [
    'list',
    'show',
    'add',
    'preview',
    'edit',
    'remove',
    'test',
    'offers',
    'suggest',
    'dismiss',
    'wrong',
    'import',
  ]) {
    expect(await rules(name, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`beckon rules ${name}`),
    });
  }
});
