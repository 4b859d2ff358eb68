import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench, type Run, typeSlowly } from '../harness/cli.ts';

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

describe('without a terminal', () => {
  test('what waits, arrives and settles is a line each, and answers are lines too', async () => {
    const first = await bench.ask(['First?', '--chat', 'lines']);
    const inbox = bench.start(['inbox', '--chat', 'lines']);
    await inbox.seen(toDocument('pending', first.id));
    const second = await bench.ask(['Second?', '--chat', 'lines']);
    await inbox.seen(toDocument('pending', second.id));
    type(inbox, 'not json\n');
    await inbox.seen(/"type":"error","line":1/);
    type(inbox, `${JSON.stringify({ id: first.id, answer: { text: 'one' } })}\n`);
    await inbox.seen(/"type":"result","line":2.*"result":"accepted"/);
    await inbox.seen(toDocument('settled', first.id));
    await bench.run(['answer', second.id, 'two']);
    await inbox.seen(toDocument('settled', second.id));
    type(inbox, `${JSON.stringify({ id: second.id, answer: { text: 'other' } })}\n`);
    await inbox.seen(/"line":3.*"result":"lost"/);
    inbox.child.stdin?.end();
    expect(await bench.finish(inbox)).toMatchObject({ code: 2, stderr: '' });
    expect(await bench.finish(first)).toMatchObject({ code: 0, stdout: 'one\n' });
    expect(await bench.finish(second)).toMatchObject({ code: 0, stdout: 'two\n' });
    for (const line of inbox.stdout().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
  });

  test('an answer from a pipe counts, and the end of the input ends it', async () => {
    const asked = await bench.ask(['Piped?', '--chat', 'pipe']);
    const inbox = bench.start(['inbox', '--chat', 'pipe', '--json']);
    inbox.child.stdin?.end(JSON.stringify({ id: asked.id, answer: { text: 'yes' } }));
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
  });

  test('an answer that does not count is told by the exit code', async () => {
    const inbox = bench.start(['inbox']);
    inbox.child.stdin?.end('{"id":"int_none","answer":{"text":"yes"}}\n');
    expect(await bench.finish(inbox)).toMatchObject({ code: 1, stdout: expect.stringContaining('"result":"unknown"') });
  });

  test('other conversations are not shown', async () => {
    await bench.ask(['Elsewhere?', '--chat', 'elsewhere']);
    const here = await bench.ask(['Here?', '--chat', 'here']);
    const inbox = bench.start(['inbox', '--chat', 'here']);
    await inbox.seen(toDocument('pending', here.id));
    inbox.child.stdin?.end();
    expect((await bench.finish(inbox)).stdout).not.toContain('Elsewhere?');
  });

  test('where nothing answers it says so, with its exit code', async () => {
    const ended = await bench.run(['inbox', '--port', '1']);
    expect(ended).toMatchObject({ code: 6, stdout: '' });
  });

  test('a signal ends it cleanly', async () => {
    const asked = await bench.ask(['Signal?', '--chat', 'signal']);
    const inbox = bench.start(['inbox', '--chat', 'signal']);
    await inbox.seen(toDocument('pending', asked.id));
    inbox.child.kill('SIGTERM');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('its help has examples', async () => {
    const { code, stdout } = await bench.run(['inbox', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
  });
});

// util-linux's `script` gives the command a terminal; it is part of every Debian.
describe.runIf(process.platform === 'linux')('on a terminal', () => {
  const ENTER = '\r';
  const DOWN = '\u001b[B';
  const RESTORED = '\u001b[?25h\u001b[?1049l';

  test('a question is opened and answered, one that arrives meanwhile appears, and q leaves', async () => {
    const asked = await bench.ask(['Lunch?', '--option', 'yes', '--option', 'no', '--chat', 'screen']);
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'screen']);
    await inbox.seen(/1 waiting/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/In your own words/);
    await typeSlowly(inbox, DOWN, ENTER);
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'no\n' });
    await inbox.seen(/Answered by .+ \(says: in the terminal\): no/);
    await bench.ask(['Dinner?', '--chat', 'screen']);
    await inbox.seen(/Dinner\?/);
    await typeSlowly(inbox, 'q');
    const { code, stdout } = await bench.finish(inbox);
    expect(code).toBe(0);
    expect(stdout).toContain(RESTORED);
    expect(await findAnsweredBy(asked.id)).toMatchObject({
      who: expect.stringContaining('@'),
      via: 'api',
      claim: { via: 'terminal' },
    });
  });

  test('a prompt closes when somebody answers elsewhere, and says who and where', async () => {
    const asked = await bench.ask(['Supper?', '--option', 'yes', '--chat', 'closing']);
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'closing']);
    await inbox.seen(/1 waiting/);
    await typeSlowly(inbox, '1', ENTER);
    await inbox.seen(/In your own words/);
    await bench.run(['answer', asked.id, 'later']);
    await inbox.seen(/Answered by .+ \(says: on the command line\): later/);
    await typeSlowly(inbox, 'typed on', ENTER);
    await inbox.seen(/no longer needed[^]*nothing waiting/);
    await typeSlowly(inbox, '\u0003');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('an input is edited in the editor and allowed', async () => {
    const request = JSON.stringify({ tool: 'Bash', input: { command: 'rm -rf build\u001b[8m' } });
    const asked = await bench.ask(['--kind', 'approval', '--request', request, '--chat', 'edit', '--json']);
    const editor = join(bench.folder, 'edit.sh');
    await writeFile(editor, `sed -i 's/rm -rf/ls/' "$1"`);
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'edit'], { env: { EDITOR: `sh ${editor}` } });
    await inbox.seen(/1 waiting/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/y allow/);
    expect(inbox.stdout()).toContain('rm -rf build[U+001B][8m');
    expect(inbox.stdout()).not.toContain('\u001b[8m');
    await typeSlowly(inbox, 'e');
    await inbox.seen(/as edited/);
    // The hidden characters are still in it.
    await typeSlowly(inbox, 'y');
    await inbox.seen(/A allow anyway/);
    await typeSlowly(inbox, 'A');
    const { stdout } = await bench.finish(asked);
    expect(JSON.parse(stdout)).toMatchObject({
      answer: { decision: 'allow', updatedInput: { command: 'ls build\u001b[8m' } },
    });
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('a request with context shows its project and its diff, and is denied with a reason', async () => {
    const path = join(bench.folder, 'total.ts');
    await writeFile(path, Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join(''));
    const context = JSON.stringify({
      project: 'webshop',
      branch: 'main',
      title: 'Convert the cart',
      message: 'I change the total.',
      files: [{ path, sha256: 'a'.repeat(64), lines: 2, before: [{ line: 1, text: 'one\ntwo\n' }] }],
    });
    const file = join(bench.folder, 'context.json');
    await writeFile(file, context);
    const request = JSON.stringify({
      tool: 'Edit',
      input: { file_path: path, old_string: 'two', new_string: 'three' },
    });
    const args = ['--kind', 'approval', '--request', request, '--chat', 'diff', '--context', `@${file}`, '--json'];
    const asked = await bench.ask(args);
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'diff'], { env: { NO_COLOR: '1' } });
    await inbox.seen(/webshop {2}main/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/“Convert the cart”[^]*edited {2}\+1 -1[^]*2 - two[^]*2 \+ three[^]*Why {5}I change the total\./);
    await typeSlowly(inbox, 'l');
    await inbox.seen(/interaction\.requested/);
    await typeSlowly(inbox, 'q');
    await typeSlowly(inbox, 'r');
    await inbox.seen(/Why not\?/);
    await typeSlowly(inbox, 'not on a Friday');
    await typeSlowly(inbox, ENTER);
    const { stdout } = await bench.finish(asked);
    expect(JSON.parse(stdout)).toMatchObject({ answer: { decision: 'deny', message: 'not on a Friday' } });
    await inbox.seen(/✗ Edit .*Denied by/);
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
    const shown = await bench.run(['show', asked.id]);
    expect(shown.stdout).toMatch(
      /✗ Denied by[^]*Place +webshop · main\nTitle +Convert the cart[^]*2 - two[^]*Why {5}I change the total/,
    );
    const json = JSON.parse((await bench.run(['show', asked.id, '--json'])).stdout) as { context: unknown };
    expect(json.context).toMatchObject({ project: 'webshop', files: [{ path }] });
  });

  test('two approvals are marked and allowed together, and one is snoozed', async () => {
    const request = (command: string): string => JSON.stringify({ tool: 'Bash', input: { command } });
    const ask = (command: string) => bench.ask(['--kind', 'approval', '--request', request(command), '--chat', 'bulk']);
    const asked = [await ask('npm test'), await ask('npm run lint'), await ask('ls')];
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'bulk']);
    await inbox.seen(/3 waiting/);
    await typeSlowly(inbox, 'x', 'j', 'x', 'y');
    await inbox.seen(/Allow these 2\?/);
    await typeSlowly(inbox, ENTER);
    for (const run of asked.slice(0, 2)) expect(await bench.finish(run)).toMatchObject({ code: 0, stdout: 'allow\n' });
    await inbox.seen(/1 waiting/);
    await typeSlowly(inbox, 's');
    await inbox.seen(/in 1 hour/);
    await typeSlowly(inbox, '2');
    await inbox.seen(/nothing waiting[^]*1 snoozed/);
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('a long plan is read page by page and accepted', async () => {
    const plan = Array.from({ length: 80 }, (_, index) => `step ${index}.`).join('\n');
    const request = JSON.stringify({ plan });
    const asked = await bench.ask(['--kind', 'plan_review', '--request', request, '--chat', 'plan']);
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'plan']);
    await inbox.seen(/1 waiting/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/more below/);
    await typeSlowly(inbox, ' ');
    await inbox.seen(/step 30\./);
    await typeSlowly(inbox, '2');
    await inbox.seen(/enter: send/);
    await typeSlowly(inbox, ENTER);
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'edit\n' });
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('NO_COLOR leaves the list and the prompts without colors', async () => {
    await bench.ask(['Plain?', '--option', 'yes', '--chat', 'plain']);
    const inbox = bench.startOnTerminal(['inbox', '--chat', 'plain'], { env: { NO_COLOR: '1', TERM: 'xterm' } });
    await inbox.seen(/1 waiting/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/In your own words/);
    await typeSlowly(inbox, '\u0003');
    const { stdout } = await bench.finish(inbox);
    // oxlint-disable-next-line no-control-regex -- colors are control sequences
    expect(stdout).not.toMatch(/\u001b\[[\d;]*m/);
    expect(stripVTControlCharacters(stdout)).toContain('Plain?');
  });

  test('a terminal that cannot be drawn on is told what to do', async () => {
    const inbox = bench.startOnTerminal(['inbox'], { env: { TERM: 'dumb' } });
    expect(await bench.finish(inbox)).toMatchObject({ code: 2, stdout: expect.stringContaining('--json') });
  });
});

function type(run: Run, keys: string): void {
  run.child.stdin?.write(keys);
}

function toDocument(kind: string, id: string): RegExp {
  return new RegExp(`"type":"${kind}","interaction":.*"id":"${id}"`);
}

async function findAnsweredBy(id: string): Promise<unknown> {
  const { stdout } = await bench.run(['show', id, '--json']);
  return (JSON.parse(stdout) as { interaction: { answeredBy: unknown } }).interaction.answeredBy;
}
