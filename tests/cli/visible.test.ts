import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { render as renderForSlack } from '../../packages/beckon/src/connectors/slack/render.ts';
import { render } from '../../packages/beckon/src/connectors/telegram/render.ts';
import { describe as describeForChat } from '../../packages/beckon/src/coordinator/describe.ts';
import { toHeadline } from '../../packages/beckon/src/presentation/headline.ts';
import { toVisible } from '../../packages/beckon/src/presentation/visible.ts';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { describeRequest as describeLines } from '../../packages/beckon/src/terminal/request-text.ts';
import { readText } from '../../packages/beckon/src/testing/harness/slack/reading.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';
import { listUnseen, readMarks, TELLING, writeCodePoints } from '../harness/code-points.ts';

const alone = (character: string): string => character;
const betweenLetters = (character: string): string => `a${character}b`;

function interaction(kind: Interaction['kind'], request: object, changes: object = {}): Interaction {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const shared = { id: 'int_1', chatId: 'c', status: 'pending', awaitingFeedback: false, createdAt };
  return { ...shared, kind, request, ...changes } as Interaction;
}

function describeRequest(shown: Interaction): string {
  const lines = describeLines(shown, { context: null, paint: (text) => text, columns: 80 });
  return lines.map(({ gutter = '', text }) => gutter + text).join('\n');
}

function toTelegram(shown: Interaction): string {
  const { document, messages } = render(shown);
  return document?.text ?? messages.map(({ text }) => text).join('\n');
}

function toSlack(shown: Interaction): string {
  const face = { surroundings: {}, controls: [], blockId: 'x', hasPage: false, isLong: false };
  const { file, blocks } = renderForSlack(shown, face);
  return file?.text ?? readText(blocks);
}

describe('every code point', () => {
  test.each([
    ['alone', alone],
    ['between letters', betweenLetters],
  ])('%s is marked alike in the terminal, in Telegram and in Slack', (_, toWord) => {
    for (const text of writeCodePoints(toWord)) {
      const plan = interaction('plan_review', { plan: text, toolInput: {} });
      const prose = readMarks(toVisible(text));
      expect(readMarks(describeRequest(plan)) === prose).toBe(true);
      expect(readMarks(toTelegram(plan)) === prose).toBe(true);
      expect(readMarks(toSlack(plan)) === prose).toBe(true);
      const call = interaction('approval', { tool: 'Bash', input: { command: text } });
      const code = readMarks(toVisible(text, 'code'));
      expect(readMarks(describeRequest(call)) === code).toBe(true);
      expect(readMarks(toTelegram(call)) === code).toBe(true);
      expect(readMarks(toSlack(call)) === code).toBe(true);
    }
  });

  test('alone in prose is marked where Unicode says that it is not seen, and in code at least there', () => {
    for (const text of writeCodePoints(alone)) {
      const unseen = listUnseen(text);
      const plan = interaction('plan_review', { plan: text, toolInput: {} });
      expect(readMarks(describeRequest(plan)) === unseen).toBe(true);
      expect(readMarks(toTelegram(plan)) === unseen).toBe(true);
      const call = interaction('approval', { tool: 'Bash', input: { command: text } });
      const inTerminal = new Set(readMarks(describeRequest(call)).split(' '));
      expect(unseen.split(' ').filter((code) => !inTerminal.has(code))).toEqual([]);
    }
  });

  test.each(Object.entries(TELLING))('of %s: one line about it marks the same', (_, text) => {
    const code = readMarks(toVisible(text, 'code'));
    expect(code).not.toBe('');
    const call = interaction('approval', { tool: `B${text}`, input: {} });
    expect(readMarks(toHeadline(call, Number.POSITIVE_INFINITY))).toBe(code);
    expect(readMarks(describeForChat(call))).toBe(code);
    const [title = ''] = toTelegram(call).split('\nfrom');
    expect(readMarks(title)).toBe(code);
    const question = interaction('question', { question: text, options: [] });
    expect(readMarks(toHeadline(question, Number.POSITIVE_INFINITY))).toBe(readMarks(toVisible(text)));
  });
});

describe('on the command line', () => {
  let bench: CliBench;
  let daemon: TestDaemon;

  beforeAll(async () => {
    bench = await CliBench.open();
    daemon = await bench.up();
  });
  afterAll(() => bench.close());

  async function ask(input: object): Promise<string> {
    const token = (await readFile(join(bench.home, 'token'), 'utf8')).trim();
    const reply = await fetch(`${daemon.url}/v1/interactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ timeout: null, ...input }),
    });
    expect(reply.status).toBe(201);
    return ((await reply.json()) as { id: string }).id;
  }

  async function findLine(args: readonly string[], id: string): Promise<string> {
    const { stdout } = await bench.run(args);
    return stdout.split('\n').find((line) => line.includes(id)) ?? '';
  }

  test('list, show and watch mark the same as everything else, and nothing is obeyed', async () => {
    const asked = await Promise.all(
      Object.values(TELLING).map(async (text) => {
        const request = { tool: 'Bash', input: { command: text } };
        return {
          id: await ask({ kind: 'approval', request, chatId: 'walk' }),
          marks: readMarks(toVisible(text, 'code')),
        };
      }),
    );
    const list = (await bench.run(['list', '--chat', 'walk'])).stdout;
    const watching = bench.start(['watch', '--after', '0']);
    await watching.seen(new RegExp(`${asked.at(-1)?.id}.*approval`));
    await Promise.all(asked.map(({ id }) => watching.seen(new RegExp(`${id}.*\\n`))));
    for (const { id, marks } of asked) {
      const find = (output: string): string => output.split('\n').find((line) => line.includes(id)) ?? '';
      expect(readMarks(find(list))).toBe(marks);
      expect(marks.startsWith(readMarks(find(watching.stdout())))).toBe(true);
      expect(readMarks(find(watching.stdout()))).not.toBe('');
      const show = await bench.run(['show', id]);
      expect(readMarks(show.stdout)).toBe(marks);
      expect(show.stdout).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Co}/u);
    }
    watching.child.kill('SIGINT');
    for (const output of [list, (await bench.finish(watching)).stdout])
      expect(output).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Co}/u);
  });

  test('ask and answer mark what people and agents wrote', async () => {
    const asked = await bench.ask(['Deploy?', '--chat', 'said']);
    const reason = 'no\u202e\u{e0041}\u3164\u001b[2J';
    expect(await bench.run(['cancel', asked.id, '--reason', reason])).toMatchObject({ code: 0 });
    const marks = 'U+202E U+E0041 U+3164 U+001B';
    expect(readMarks((await bench.finish(asked)).stderr)).toBe(marks);
    expect(readMarks((await bench.run(['answer', asked.id, 'yes'])).stderr)).toBe(marks);
  });

  test('a tool that poses as another is marked, in part and as a whole', async () => {
    const part = await ask({ kind: 'approval', request: { tool: 'Bаsh', input: {} } });
    const whole = await ask({ kind: 'approval', request: { tool: 'Ваѕһ', input: {} } });
    expect(await findLine(['list'], part)).toContain('Bа[U+0430]sh');
    expect(await findLine(['list'], whole)).toContain('В[U+0412]а[U+0430]ѕ[U+0455]һ[U+04BB]');
    expect((await bench.run(['show', part])).stdout).toContain('Bа[U+0430]sh');
  });

  test('who asks is who the token says; what an agent calls itself is a claim beside it', async () => {
    const id = await ask({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'curl x | sh' } },
      chatId: 'samples',
      metadata: { agent: 'claude-code', sample: true },
    });
    const { interaction: asked } = JSON.parse((await bench.run(['show', id, '--json'])).stdout) as {
      interaction: Interaction;
    };
    expect(asked.askedBy).not.toBe('claude-code');
    const claim = `${asked.askedBy} (calls itself "claude-code")`;
    expect(await findLine(['list'], id)).toContain(claim);
    expect((await bench.run(['show', id])).stdout).toContain(`Asked by  ${claim}\n`);
    const watching = bench.start(['watch', '--after', '0']);
    const [line] = await watching.seen(new RegExp(`interaction\\.requested +${id}.*\\n`));
    expect(line).toContain(claim);
    for (const output of [await findLine(['list'], id), (await bench.run(['show', id])).stdout, line])
      expect(output).not.toMatch(/Beckon itself/);
    watching.child.kill('SIGINT');
    await bench.finish(watching);
  });

  test('who asks a question from the command line is said there too', async () => {
    const asked = await bench.ask(['Deploy?', '--chat', 'mine']);
    const { interaction: kept } = JSON.parse((await bench.run(['show', asked.id, '--json'])).stdout) as {
      interaction: Interaction;
    };
    expect(asked.stderr()).toContain(`Others see the asker as ${kept.askedBy}.`);
    await bench.run(['answer', asked.id, 'yes']);
    expect((await bench.run(['show', asked.id])).stdout).toMatch(
      /Outcome +✓ Answered by .+ \(says: on the command line\): yes/,
    );
  });
});
