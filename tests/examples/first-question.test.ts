import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const example = fileURLToPath(new URL('../../examples/first-question/index.ts', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-example-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('without a terminal the first question says what to do', async () => {
  const { output, exit } = run(process.execPath, [example]);
  expect(await exit).toBe(2);
  expect(output()).toContain('in a terminal');
});

// util-linux's `script` gives the program a terminal; it is part of every Debian.
describe.runIf(process.platform === 'linux')('on a terminal', () => {
  test('the first question takes an answer and shows the outcome and the log', async () => {
    const { child, output, exit, seen } = runOnTerminal();
    await seen('your own words:');
    child.stdin?.write('2\n');
    expect(await exit).toBe(0);
    expect(output()).toMatch(
      /Outcome: answered[\s\S]*Answer: +Wait[\s\S]*interaction\.requested[\s\S]*interaction\.answered/,
    );
  });

  test('a question that was left with Ctrl-C is found again', async () => {
    const first = runOnTerminal();
    await first.seen('your own words:');
    first.child.stdin?.write('\u0003');
    expect(await first.exit).toBe(130);
    expect(first.output()).toContain('stays on disk');

    const second = runOnTerminal();
    await second.seen('A question has been waiting for you');
    await second.seen('your own words:');
    second.child.stdin?.write('after lunch\n');
    expect(await second.exit).toBe(0);
    expect(second.output()).toContain('after lunch');
  });
});

interface Run {
  child: ChildProcess;
  output(): string;
  exit: Promise<number | null>;
  /** Resolves when the text has been printed; rejects when the program ends without it. */
  seen(text: string): Promise<void>;
}

function runOnTerminal(): Run {
  return run('script', ['--quiet', '--return', '--command', `'${process.execPath}' '${example}'`, '/dev/null']);
}

function run(command: string, args: string[]): Run {
  const child = spawn(command, args, { env: { ...process.env, BECKON_EXAMPLE_DB: join(folder, 'example.db') } });
  let output = '';
  let onOutput = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      onOutput();
    });
  }
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  return {
    child,
    output: () => output,
    exit,
    seen: (text) =>
      new Promise((resolve, reject) => {
        onOutput = () => {
          if (output.includes(text)) resolve();
        };
        onOutput();
        exit.then(() => reject(new Error(`Ended without printing ${JSON.stringify(text)}:\n${output}`)), reject);
      }),
  };
}
