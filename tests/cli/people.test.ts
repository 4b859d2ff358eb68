import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliBench, type TestDaemon } from '../harness/cli.ts';

let bench: CliBench;
let daemon: TestDaemon;

// One daemon serves all tests; those that say or list something do it in a chat of their own.
beforeAll(async () => {
  bench = await CliBench.open();
  daemon = await bench.up();
});
afterAll(() => bench.close());

/** A way to the daemon that tells when the first reply of it has passed. */
async function openGate(url: string): Promise<{ port: string; firstReply: Promise<void>; close(): Promise<void> }> {
  const first = Promise.withResolvers<void>();
  const gate = createServer((client) => {
    const inner = connect(Number(new URL(url).port), '127.0.0.1');
    client.pipe(inner).pipe(client);
    inner.once('data', () => first.resolve());
    client.on('error', () => inner.destroy());
    inner.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    gate.listen(0, '127.0.0.1', resolve);
  });
  const { port } = gate.address() as AddressInfo;
  return {
    port: String(port),
    firstReply: first.promise,
    close: () => new Promise((resolve) => void gate.close(() => resolve())),
  };
}

test('the first answer wins, the same again is a repeat, and a different one hears who won', async () => {
  const { id } = await bench.ask(['Deploy?']);
  expect(await bench.run(['answer', id, 'yes'])).toMatchObject({ code: 0 });
  expect(await bench.run(['answer', id, 'yes', '--json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"result":"repeated"'),
  });
  const lost = await bench.run(['answer', id, 'no']);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/Somebody had already answered\. Answered by .+ \(says: on the command line\): yes/);
});

test('an answer after the end is too late', async () => {
  const { id } = await bench.ask(['Deploy?']);
  await bench.run(['cancel', id]);
  const late = await bench.run(['answer', id, 'yes', '--json']);
  expect(late.code).toBe(1);
  expect(JSON.parse(late.stdout)).toMatchObject({ result: 'late', interaction: { status: 'cancelled' } });
});

test('an unknown id and an answer without words say what to do', async () => {
  const unknown = await bench.run(['answer', 'int_nothing', 'yes']);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('beckon list') });
  const { id } = await bench.ask(['Deploy?']);
  expect(await bench.run(['answer', id])).toMatchObject({ code: 2, stderr: expect.stringContaining('--help') });
});

test('an option that was not offered is refused with those that were', async () => {
  const { id } = await bench.ask(['Which?', '--option', 'a', '--option', 'b']);
  const refused = await bench.run(['answer', id, '--select', 'c']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"c" is not an option') });
  expect(refused.stderr).toContain('"a", "b"');
  const bare = await bench.ask(['Why?']);
  expect(await bench.run(['answer', bare.id, '--select', 'c'])).toMatchObject({ code: 2 });
  expect(await bench.run(['answer', id, '--select', ' B'])).toMatchObject({ code: 0 });
});

test('plain words decide about approvals and plans', async () => {
  const approval = await bench.ask(['--kind', 'approval', '--request', '{"tool":"Bash"}']);
  await bench.run(['answer', approval.id, 'yes']);
  expect(await bench.finish(approval)).toMatchObject({ code: 0, stdout: 'allow\n' });
  const plan = await bench.ask(['--kind', 'plan_review', '--request', '{"plan":"# Plan"}']);
  await bench.run(['answer', plan.id, 'yes']);
  expect(await bench.finish(plan)).toMatchObject({ code: 0, stdout: 'clean_edit\n' });
});

test('the list shows what is pending, without letting an agent write to the terminal', async () => {
  const first = await bench.ask(['Clear \u001b[2Jscreen?', '--chat', 'board']);
  const second = await bench.ask(['Deploy?', '--chat', 'board']);
  await bench.run(['answer', second.id, 'yes']);
  const pending = await bench.run(['list']);
  expect(pending.stdout).toContain(first.id);
  expect(pending.stdout).toContain('Clear [U+001B][2Jscreen?');
  expect(pending.stdout).not.toContain('\u001b');
  expect(pending.stdout).not.toContain(second.id);
  const all = JSON.parse((await bench.run(['list', '--all', '--chat', 'board', '--json'])).stdout) as {
    items: { id: string }[];
  };
  expect(all.items.map(({ id }) => id)).toEqual([second.id, first.id]);
  const page = JSON.parse((await bench.run(['list', '--all', '--chat', 'board', '--limit', '1', '--json'])).stdout) as {
    next: string;
  };
  const rest = await bench.run(['list', '--all', '--after', page.next, '--chat', 'board', '--json']);
  expect(JSON.parse(rest.stdout)).toMatchObject({ items: [{ id: first.id }] });
});

test('one interaction is shown with its lines of the log', async () => {
  const { id } = await bench.ask(['Deploy?', '--option', 'yes']);
  await bench.run(['answer', id, 'yes']);
  await bench.run(['answer', id, 'no']);
  const { stdout } = await bench.run(['show', id]);
  expect(stdout).toMatch(/Deploy\?[\s\S]*Answer\s+yes[\s\S]*interaction\.requested[\s\S]*interaction\.answered/);
  const { interaction, log } = JSON.parse((await bench.run(['show', id, '--json'])).stdout);
  expect(interaction).toMatchObject({ id, status: 'answered' });
  expect(log).toMatchObject([{ type: 'interaction.requested' }, { type: 'interaction.answered' }]);
});

test('watching prints one line, or one JSON document, for each event', async () => {
  const { lastSeq } = JSON.parse((await bench.run(['list', '--json'])).stdout) as { lastSeq: number };
  const after = String(lastSeq);
  const lines = bench.start(['watch', '--after', after]);
  const documents = bench.start(['watch', '--after', after, '--json']);
  const { id } = await bench.ask(['Deploy\u0007?']);
  await lines.seen(new RegExp(`interaction\\.requested +${id}.*Deploy\\[U\\+0007\\]\\?`));
  await bench.run(['answer', id, 'yes']);
  await lines.seen(/interaction\.answered/);
  await documents.seen(/interaction\.answered/);
  for (const { child } of [lines, documents]) child.kill('SIGINT');
  expect(await bench.finish(lines)).toMatchObject({ code: 0 });
  const ended = await bench.finish(documents);
  expect(ended.code).toBe(0);
  const events = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events).toMatchObject([
    { seq: lastSeq + 1, type: 'interaction.requested' },
    { seq: lastSeq + 2, type: 'interaction.answered', answer: { text: 'yes' } },
  ]);
});

test('a text said in a conversation answers what is pending there', async () => {
  const asked = await bench.ask(['Deploy?', '--chat', 'said']);
  const elsewhere = await bench.run(['say', 'yes', '--chat', 'other']);
  expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('answered nothing') });
  expect(await bench.run(['say', 'yes', '--chat', 'said', '--json'])).toMatchObject({
    code: 0,
    stdout: '{"routed":true}\n',
  });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
});

test('a text answers nothing that was asked after its author began, or after the event that they name', async () => {
  const gate = await openGate(daemon.url);
  const saying = bench.start(['say', '-', '--chat', 'seen', '--port', gate.port]);
  await gate.firstReply;
  const asked = await bench.ask(['--kind', 'approval', '--request', '{"tool":"Bash","input":{}}', '--chat', 'seen']);
  saying.child.stdin?.end('yes\n');
  expect(await bench.finish(saying)).toMatchObject({ code: 1, stderr: expect.stringContaining('answered nothing') });
  expect(await bench.run(['say', 'yes', '--chat', 'seen', '--seen', '0'])).toMatchObject({ code: 1 });
  expect(await bench.run(['say', 'yes', '--chat', 'seen', '--seen', 'x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--seen: expected the number of an event, got "x"'),
  });
  const { lastSeq } = JSON.parse((await bench.run(['list', '--json'])).stdout) as { lastSeq: number };
  expect(await bench.run(['say', 'yes', '--chat', 'seen', '--seen', String(lastSeq)])).toMatchObject({ code: 0 });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'allow\n' });
  await gate.close();
});

test('"yes" said twice with an approval asked in between is consent to one thing', async () => {
  const approval = ['--kind', 'approval', '--request', '{"tool":"Bash","input":{}}', '--chat', 'twice'];
  const first = await bench.ask(approval);
  expect(await bench.run(['say', 'yes', '--chat', 'twice'])).toMatchObject({ code: 0 });
  expect(await bench.finish(first)).toMatchObject({ stdout: 'allow\n' });
  const second = await bench.ask([...approval, '--timeout', '60s']);
  expect(await bench.run(['say', 'yes', '--chat', 'twice'])).toMatchObject({ code: 1 });
  expect(JSON.parse((await bench.run(['show', second.id, '--json'])).stdout)).toMatchObject({
    interaction: { status: 'pending' },
  });
  await bench.run(['cancel', second.id]);
  await bench.finish(second);
});

test('a whole conversation can be cancelled', async () => {
  const asked = [await bench.ask(['One?', '--chat', 'cancelled']), await bench.ask(['Two?', '--chat', 'cancelled'])];
  const { stdout } = await bench.run(['cancel', '--chat', 'cancelled', '--json']);
  const { cancelled } = JSON.parse(stdout) as { cancelled: string[] };
  expect(cancelled.toSorted()).toEqual(asked.map(({ id }) => id).toSorted());
  for (const one of asked) expect(await bench.finish(one)).toMatchObject({ code: 5 });
  expect(await bench.run(['cancel', '--chat', 'cancelled'])).toMatchObject({ code: 1 });
});

test.each([
  ['an unknown option', ['list', '--foo', '--json'], "unknown option '--foo'."],
  ['an argument that is missing', ['show', '--json'], "missing required argument 'id'."],
  ['an unknown command', ['lst', '--json'], "unknown command 'lst' (Did you mean list?)"],
  ['an option that is missing', ['token', 'create', 'x', '--json'], "required option '--role <role>' not specified."],
])('%s is one JSON document with --json', async (_, args, message) => {
  const { code, stdout } = await bench.run(args);
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 2, error: { code: 'invalid_input', message } });
});

test('a limit that is no number is said as it was typed', async () => {
  const { code, stderr } = await bench.run(['list', '--limit', 'x']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('got "x" (text)') });
});

test('every command has help with an example, in plain words', async () => {
  const { stdout } = await bench.run(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => name !== 'help' && name !== 'beckon');
  expect(names).toContain('ask');
  for (const name of names) {
    const help = await bench.run([name, '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Examples:');
    expect(help.stdout).not.toMatch(/display help|\{\}/);
    if (!['claude', 'token', 'outbox', 'telegram', 'slack'].includes(name)) continue;
    const [options = ''] = help.stdout.split('Examples:');
    for (const line of options.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  }
});
