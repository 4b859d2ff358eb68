import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTerminalConnector } from '../../packages/beckon/src/connectors/terminal/index.ts';
import { runConnector } from '../../packages/beckon/src/coordinator/run-connector.ts';
import { openBeckon } from '../../packages/beckon/src/open-beckon.ts';
import type { AskInput } from '../../packages/beckon/src/protocol/interaction.ts';
import { AT_ONCE, createFakeTerminal, KEYS } from '../../packages/beckon/src/testing/harness/terminal/fake-terminal.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { ASKS, toStable } from '../../scripts/screen-asks.mjs';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const recorder = fileURLToPath(new URL('../../scripts/record-screens.mjs', import.meta.url));

test('the page about the terminal shows every recorded screen, and no other', async () => {
  const page = await readFile(join(docs, 'terminal.md'), 'utf8');
  const shown = [...page.matchAll(/<!-- screen: ([\w-]+) -->\n```text\n([^]*?)```/g)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );
  const files = (await readdir(join(docs, 'screens'))).sort();
  expect(shown.map(([name]) => `${name}.txt`).sort()).toEqual(files);
  for (const [name, text] of shown) expect(await readFile(join(docs, 'screens', `${name}.txt`), 'utf8')).toBe(text);
});

test('every recorded screen is what the inbox draws today', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-screens-'));
  const beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  const terminal = createFakeTerminal({ columns: 80, rows: 24 });
  const { input, output } = terminal;
  const connector = createTerminalConnector({ input, output, who: 'dev@laptop', keyTimes: AT_ONCE });
  const running = await runConnector({ beckon, connector, onError: () => undefined });
  /** Waits until the screen has the pattern, and then until it is the recorded one. */
  const see = async (pattern: RegExp, name?: string): Promise<void> => {
    await until(() => expect(terminal.screen()).toMatch(pattern));
    if (name === undefined) return;
    const recorded = await readFile(join(docs, 'screens', `${name}.txt`), 'utf8');
    await until(() => expect(toStable(terminal.screen())).toBe(recorded));
  };
  try {
    let id = '';
    for (const ask of ASKS) {
      ({ id } = await beckon.ask({ ...ask, askedBy: 'claude-code', timeout: '1h' } as AskInput));
    }
    await see(/3 waiting/, 'list');
    terminal.press(`1${KEYS.enter}`);
    await see(/In your own words/, 'question');
    terminal.press(KEYS.escape);
    await see(/3 waiting/);
    terminal.press(`2${KEYS.enter}`);
    await see(/to decide/, 'plan-pager');
    terminal.press('q');
    await see(/Accept this plan/, 'plan-review');
    terminal.press(KEYS.escape);
    await see(/3 waiting/);
    terminal.press(`3${KEYS.enter}`);
    await see(/Allow this/, 'approval');
    // As over HTTP: the token names who answers, and the command only claims where.
    const by = { who: 'dev@laptop', via: 'api', claim: { via: 'cli' } };
    await beckon.answer(id, { decision: 'deny', message: 'not on a Friday' }, by);
    await see(/no longer needed/, 'closed');
  } finally {
    await running.stop();
    await beckon.close();
    await rm(folder, { recursive: true });
  }
});

// A real terminal, the real command and a daemon: what no stand-in can promise.
test.runIf(hasTmux())('the recorded list is what tmux shows of the command', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [recorder, '--check', '--list']).catch(
    (error: Error & { stderr: string }) => error,
  );
  expect(stderr).toBe('');
});

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
