import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AT_ONCE, createFakeTerminal, KEYS } from '../testing/harness/terminal/fake-terminal.ts';
import { type PromptContext, PromptLeft, promptForText } from './prompt-context.ts';
import { Screen } from './screen.ts';

function createContext(signal: AbortSignal) {
  const terminal = createFakeTerminal();
  const screen = new Screen(terminal.input, terminal.output, AT_ONCE);
  const context: PromptContext = { screen, signal, editText: () => Promise.reject(new Error('No editor here.')) };
  return { terminal, context };
}

test('what was answered writes nothing more when the signal aborts', async () => {
  const settled = new AbortController();
  const { terminal, context } = createContext(settled.signal);
  const answering = promptForText(context, 'Why?');
  await terminal.seen(/Why\?/);
  terminal.press(`because${KEYS.enter}`);
  expect(await answering).toBe('because');
  const written = terminal.written();
  settled.abort();
  await setImmediate();
  expect(terminal.written()).toBe(written);
});

test('a signal that has aborted already asks nothing', async () => {
  const { context } = createContext(AbortSignal.abort());
  await expect(promptForText(context, 'Why?')).rejects.toThrow(PromptLeft);
});
