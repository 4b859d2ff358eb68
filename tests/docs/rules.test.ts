import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliBench, type Ended } from '../harness/cli.ts';

const page = await readFile(fileURLToPath(new URL('../../docs/rules.md', import.meta.url)), 'utf8');
/** The commands of the page, in order, each with the output that the page promises, if any. */
const blocks = [...page.matchAll(/```sh\n([^]*?)```(?:\n\n<!-- prints -->\n```text\n([^]*?)```)?/g)].flatMap(
  ([, commands = '', output]) => {
    const lines = commands.trim().split('\n');
    return lines.map((line, index) => ({ line, output: index === lines.length - 1 ? output : undefined }));
  },
);

let bench: CliBench;
let request: string;
let env: Record<string, string>;
let token: string;
let url: string;

beforeAll(async () => {
  bench = await CliBench.open();
  ({ url } = await bench.up());
  token = (await bench.run(['token', 'create', 'ada', '--role', 'admin'])).stdout.trim();
  const home = join(bench.folder, 'user');
  env = { BECKON_TOKEN: token, HOME: home };
  await mkdir(join(home, '.codex/rules'), { recursive: true });
  await mkdir(join(home, '.claude'), { recursive: true });
  await mkdir(join(home, '.config/opencode'), { recursive: true });
  await writeFile(join(home, '.codex/rules/default.rules'), 'prefix_rule(pattern=["cargo", "test"])\n');
  await writeFile(join(home, '.claude/settings.json'), '{"permissions":{"deny":["Read(~/.ssh/**)"]}}');
  await writeFile(join(home, '.config/opencode/opencode.json'), '{"permission":{"bash":{"git diff *":"allow"}}}');
  for (let time = 0; time < 6; time += 1) await ask('npm run build -- --only cart', 'allow');
  await ask('npm run build -- --prod', 'deny');
  for (let time = 0; time < 5; time += 1) await ask('git status', 'allow');
  request = await ask('npm run check -- --all');
});
afterAll(() => bench.close());

async function ask(command: string, decision?: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (path: string, body: object): Promise<{ id: string }> =>
    (await (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as never;
  const context = { project: 'webshop', folder: '/home/ada/webshop', root: '/home/ada/webshop' };
  const call = { tool: 'Bash', input: { command } };
  const { id } = await send('/v1/interactions', { kind: 'approval', request: call, context });
  if (decision !== undefined) await send(`/v1/interactions/${id}/answer`, { answer: { decision } });
  return id;
}

/** Splits a line as a shell does, as far as the page needs it. */
function toWords(line: string): string[] {
  return [...line.replace(/ +# .*$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

async function run(line: string): Promise<Ended> {
  const listed = await fetch(`${url}/v1/rules`, { headers: { authorization: `Bearer ${token}` } });
  const newest = ((await listed.json()) as { items: { rule: { id: string } }[] }).items[0]?.rule.id ?? '';
  const words = toWords(line).map((word) => (word === 'int_…' ? request : word === 'rule_…' ? newest : word));
  expect(words[0]).toBe('beckon');
  // Where the page lets `add` ask, nobody is here to answer.
  const isAsking = words[2] === 'add' && !words.includes('--yes');
  return bench.run([...words.slice(1), ...(isAsking ? ['--yes'] : [])], { env });
}

function toStable(text: string): string {
  return text
    .replaceAll(/\b(int|rule)_[\w-]+/g, '$1_…')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '12:00:00')
    .replaceAll(/^[0-9a-f]{8} {2}/gm, 'KEY  ');
}

test('every command on the page works, and prints what the page says', async () => {
  expect(blocks.length).toBeGreaterThan(20);
  for (const { line, output } of blocks) {
    const ended = await run(line);
    const printed = output === undefined ? {} : { stdout: toStable(ended.stdout) };
    expect({ line, code: ended.code, stderr: ended.stderr, ...printed }).toMatchObject({
      line,
      code: 0,
      ...(output !== undefined && { stdout: output }),
    });
  }
});
