import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench, typeSlowly } from '../harness/cli.ts';

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

// Each test asks a question of its own. util-linux's `script` gives the command a terminal; it is part of every Debian.
describe.runIf(process.platform === 'linux')('on a terminal', { concurrent: true }, () => {
  const ENTER = '\r';
  const DOWN = '\u001b[B';
  const UP = '\u001b[A';

  test('a question is answered right there', async () => {
    const asked = bench.startOnTerminal(['ask', 'Lunch?', '--option', 'yes', '--option', 'no']);
    await asked.seen(/In your own words/);
    await typeSlowly(asked, DOWN, ENTER);
    const { code, stdout } = await bench.finish(asked);
    expect(code).toBe(0);
    expect(stripVTControlCharacters(stdout)).toMatch(/│ {2}no\r?\nno\r?\n$/);
    expect(await findAsked('Lunch?')).toMatchObject({
      status: 'answered',
      answer: { text: 'no' },
      answeredBy: { via: 'api', claim: { via: 'terminal' } },
    });
  });

  test('own words are taken too', async () => {
    const asked = bench.startOnTerminal(['ask', 'Why?']);
    await asked.seen(/Why\?/);
    await typeSlowly(asked, 'because', ENTER);
    expect(await bench.finish(asked)).toMatchObject({ code: 0 });
    expect(await findAsked('Why?')).toMatchObject({ answer: { text: 'because' } });
  });

  test('the prompt closes when somebody answers elsewhere, and says who', async () => {
    const asked = bench.startOnTerminal(['ask', 'Dinner?', '--option', 'yes', '--option', 'no']);
    await asked.seen(/In your own words/);
    const { id } = await findAsked('Dinner?');
    expect(await bench.run(['answer', id, 'after the meeting'])).toMatchObject({ code: 0 });
    const { code, stdout } = await bench.finish(asked);
    expect(code).toBe(0);
    expect(stripVTControlCharacters(stdout)).toMatch(
      /Answered by .+ \(says: on the command line\): after the meeting\r?\nafter the meeting\r?\n$/,
    );
  });

  test('Ctrl-C cancels the question and says so', async () => {
    const asked = bench.startOnTerminal(['ask', 'Breakfast?', '--option', 'yes']);
    await asked.seen(/In your own words/);
    await typeSlowly(asked, '\u0003');
    const { code, stdout } = await bench.finish(asked);
    expect(code).toBe(5);
    expect(stdout).toContain('Cancelled');
    expect(await findAsked('Breakfast?')).toMatchObject({ status: 'cancelled' });
  });

  test('an approval is denied unless the person chooses otherwise', async () => {
    const asked = bench.startOnTerminal([
      'ask',
      '--kind',
      'approval',
      '--request',
      '{"tool":"Bash\\u001b[8m","input":{}}',
    ]);
    await asked.seen(/Allow this\?/);
    expect(asked.stdout()).toContain('Bash[U+001B][8m');
    await typeSlowly(asked, DOWN, UP, ENTER);
    expect(await bench.finish(asked)).toMatchObject({ code: 3 });
  });

  test('what waits can be answered by its id alone', async () => {
    const asked = await bench.ask(['Supper?', '--option', 'yes', '--option', 'no']);
    const answering = bench.startOnTerminal(['answer', asked.id]);
    await answering.seen(/In your own words/);
    await typeSlowly(answering, ENTER);
    expect(await bench.finish(answering)).toMatchObject({ code: 0 });
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });
  });

  test('a change of a file is shown as a diff, with where it comes from and why', async () => {
    const file = { path: '/shop/a.ts', sha256: 'a'.repeat(64), lines: 2, before: [{ line: 1, text: 'one\ntwo\n' }] };
    const context = JSON.stringify({ project: 'webshop', message: 'It must be three.', files: [file] });
    const input = { file_path: file.path, old_string: 'two', new_string: 'three' };
    const request = JSON.stringify({ tool: 'Edit', input });
    const asked = await bench.ask(['--kind', 'approval', '--request', request, '--context', context]);
    const answering = bench.startOnTerminal(['answer', asked.id], { env: { NO_COLOR: '1' } });
    await answering.seen(/webshop[^]*Asked by[^]*2 - two[^]*2 \+ three[^]*It must be three\.[^]*q to decide/);
    await typeSlowly(answering, 'q');
    await answering.seen(/Allow this\?/);
    await typeSlowly(answering, DOWN, ENTER);
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'allow\n' });
  });

  test('the list has one line a row, whatever the length of what is asked', async () => {
    await bench.ask([`Wide? ${'x'.repeat(100)}`, '--chat', 'a-conversation-with-a-very-long-name']);
    const { stdout } = await bench.finish(bench.startOnTerminal(['list']));
    const lines = stripVTControlCharacters(stdout).split(/\r?\n/);
    expect(lines.find((line) => line.includes('Wide?'))).toMatch(/^int_\S+ .*Wide\? x+…$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect((await bench.run(['list'])).stdout).toContain('a-conversation-with-a-very-long-name');
  });

  test('NO_COLOR keeps the list plain', async () => {
    await bench.ask(['Snack?']);
    const colorful = await bench.finish(bench.startOnTerminal(['list'], { env: { TERM: 'xterm-256color' } }));
    const plain = await bench.finish(
      bench.startOnTerminal(['list'], { env: { TERM: 'xterm-256color', NO_COLOR: '1' } }),
    );
    expect(colorful.stdout).toContain('\u001b[');
    expect(plain.stdout).not.toContain('\u001b[');
    expect(plain.stdout).toContain('Snack?');
  });
});

async function findAsked(question: string): Promise<{ id: string; status: string }> {
  const { stdout } = await bench.run(['list', '--all', '--json']);
  const { items } = JSON.parse(stdout) as { items: { id: string; status: string; request: { question?: string } }[] };
  const found = items.find(({ request }) => request.question === question);
  if (found === undefined) throw new Error(`There is no question ${JSON.stringify(question)} in ${stdout}`);
  return found;
}
