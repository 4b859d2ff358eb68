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
import { openRules } from '../../packages/beckon/src/open-rules.ts';
import { openStore } from '../../packages/beckon/src/open-store.ts';
import type { AskInput } from '../../packages/beckon/src/protocol/interaction.ts';
import { LocalHistory } from '../../packages/beckon/src/runtime/local-history.ts';
import { systemClock } from '../../packages/beckon/src/runtime/system-clock.ts';
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
  const url = `sqlite:${join(folder, 'beckon.db')}`;
  const beckon = await openBeckon({ store: url });
  const terminal = createFakeTerminal({ columns: 80, rows: 24 });
  const { input, output } = terminal;
  // The command has both; nothing is read or put off here.
  const history = new LocalHistory({ store: await openStore(url), clock: systemClock, who: 'dev@laptop' });
  const readLog = async (): Promise<string[]> => [];
  const rules = await openRules({ store: url, who: 'dev@laptop' });
  const options = { input, output, who: 'dev@laptop', keyTimes: AT_ONCE, history, readLog, rules };
  const connector = createTerminalConnector(options);
  const running = await runConnector({ beckon, connector, onError: () => undefined });
  /** Waits until the screen has the pattern, and then until it is the recorded one. */
  const see = async (pattern: RegExp, name?: string): Promise<void> => {
    await until(() => expect(terminal.screen()).toMatch(pattern));
    if (name === undefined) return;
    const recorded = await readFile(join(docs, 'screens', `${name}.txt`), 'utf8');
    await until(() => expect(toStable(terminal.screen())).toBe(recorded));
  };
  try {
    const ids: string[] = [];
    for (const ask of ASKS) {
      const asks = [ask].flat().map((one) => ({ ...one, askedBy: 'claude-code', timeout: '1h' }) as AskInput);
      const asked = Array.isArray(ask) ? await beckon.askGroup(asks) : [await beckon.ask(asks[0]!)];
      ids.push(...asked.map(({ id }) => id));
    }
    await see(/6 waiting/, 'list');
    terminal.press(`1${KEYS.enter}`);
    await see(/Before/, 'approval');
    terminal.press('y');
    await see(/allow anyway/, 'dangerous');
    terminal.press('x');
    await see(/y allow …/);
    terminal.press('j');
    await see(/edited/, 'diff');
    terminal.press('j');
    await see(/\[Rates\]/);
    terminal.press('1');
    await see(/Rates ✓/, 'questions');
    terminal.press('21');
    await see(/send all/, 'review');
    terminal.press('j');
    await see(/Send back/, 'plan-review');
    terminal.press('j');
    await see(/--run users/);
    terminal.press('m');
    await see(/and make it/, 'remember');
    terminal.press(KEYS.escape);
    await see(/y allow ·/);
    terminal.press('a');
    await see(/y allow 2/);
    terminal.press('y');
    await see(/Allow these 2/, 'together');
    terminal.press(KEYS.escape);
    await see(/6 waiting/);
    terminal.press(KEYS.escape);
    terminal.press(`1${KEYS.enter}`);
    await see(/Before/);
    // As over HTTP: the token names who answers, and the command only claims where.
    const by = { who: 'dev@laptop', via: 'api', claim: { via: 'cli' } };
    await beckon.answer(ids[0]!, { decision: 'deny', message: 'not on a Friday' }, by);
    await see(/no longer needed/, 'closed');
  } finally {
    await running.stop();
    await rules.close();
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
