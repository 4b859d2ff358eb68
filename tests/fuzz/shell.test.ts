import { expect, test } from 'vitest';
import { plainCommands } from '../../packages/beckon/src/calls/plain-commands.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { runInBash } from './real-bash.ts';
import { createShellText } from './shell-texts.ts';

const BATCH = 2000;

test('what bash runs for a plain text is what an allowing rule sees', { timeout: soakTimeout(600_000) }, () => {
  const random = new Random(useSeed());
  const texts = repeat(2500, 50_000);
  const figures = { texts, accepted: 0, run: 0 };
  for (let left = texts; left > 0; left -= BATCH) {
    const accepted = Array.from({ length: Math.min(left, BATCH) }, () => createShellText(random)).flatMap((text) => {
      const commands = plainCommands(text);
      // The harness itself needs this one.
      return commands === undefined || commands.some(([name]) => name === 'builtin') ? [] : [{ text, commands }];
    });
    const ran = runInBash(accepted.map(({ text }) => text));
    for (const [index, { text, commands }] of accepted.entries()) {
      const { succeeding = [], failing = [] } = ran[index] ?? {};
      for (const run of [succeeding, failing]) {
        figures.run += run.length;
        expect(findUnseen(run, commands, text), `bash runs more than was seen in ${JSON.stringify(text)}`).toEqual([]);
      }
    }
    figures.accepted += accepted.length;
  }
  // A subset that takes nothing proves nothing.
  expect(figures.accepted).toBeGreaterThan(texts / 10);
  expect(figures.run).toBeGreaterThan(figures.accepted);
  console.log(`shell: ${JSON.stringify(figures)}`);
});

test('the harness sees what bash runs, quotes and all', () => {
  const [plain, both, none] = runInBash([`npm 'a b' "" && cd /nope | git -x`, 'a || b', '# npm']);
  expect(plain?.succeeding.toSorted()).toEqual([
    ['cd', '/nope'],
    ['git', '-x'],
    ['npm', 'a b', ''],
  ]);
  expect(plain?.failing).toEqual([['npm', 'a b', '']]);
  expect([both?.succeeding, both?.failing]).toEqual([[['a']], [['a'], ['b']]]);
  expect(none).toEqual({ succeeding: [], failing: [] });
  expect(() => runInBash(['echo x > new'])).toThrow('changed files');
  expect(runInBash(['echo *'])[0]?.succeeding).toEqual([['echo', '1', 'a', 'b', 'npm', 'x1']]);
});

/** The commands that ran unseen. Each one that was seen can run once; in order, except in pipelines. */
function findUnseen(run: readonly string[][], seen: readonly string[][], text: string): string[] {
  const left = seen.map((words) => words.join('\0'));
  const isOrdered = !text.includes('|');
  let from = 0;
  return run.flatMap((words) => {
    const at = left.indexOf(words.join('\0'), isOrdered ? from : 0);
    if (at < 0) return [words.join(' ')];
    if (isOrdered) from = at + 1;
    else left.splice(at, 1);
    return [];
  });
}
