import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { toHeadline } from '../presentation/headline.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { AT_ONCE, createFakeTerminal, KEYS } from '../testing/harness/terminal/fake-terminal.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { editJson } from './edit-json.ts';
import { InboxList } from './inbox-list.ts';
import { renderList } from './list-screen.ts';
import { promptFor } from './prompt-answer.ts';
import { toHeading } from './prompt-context.ts';
import { describeRequest as describeLines } from './request-text.ts';
import { Screen } from './screen.ts';

function toScreen(columns: number): Screen {
  const { input, output } = createFakeTerminal({ columns, rows: 24 });
  return new Screen(input, output);
}

function renderRow(item: Interaction, columns: number): string {
  const list = new InboxList();
  list.put(item);
  const look = { now: Date.parse(item.createdAt), sizes: new Map() };
  return renderList(toScreen(columns), list, look).map(stripVTControlCharacters).join('\n');
}

function describeRequest(interaction: Interaction): string {
  const lines = describeLines(interaction, { context: null, paint: (text) => text, columns: 80 });
  return lines.map(({ gutter = '', text }) => gutter + text).join('\n');
}

const call = (tool: string, input: object, changes: object = {}): Interaction =>
  ({ ...createQuestion(), kind: 'approval', request: { tool, input }, ...changes }) as Interaction;

describe('who asks, in a terminal', () => {
  const posing = createQuestion({ askedBy: 'laptop', askerId: '1', metadata: { agent: 'claude-code' } });

  test('is the name of the token, with what the agent calls itself as a claim', () => {
    expect(toHeading(toScreen(100), posing)).toBe(
      'Question from laptop (calls itself "claude-code") in default (Esc goes back)',
    );
    expect(renderRow(posing, 100)).toContain('▾ laptop  ');
  });

  test('is never the claim alone, however narrow it is and however long the chat or the claim', () => {
    const long = { ...posing, chatId: 'c'.repeat(200), metadata: { agent: `claude-code ${'x'.repeat(300)}` } };
    for (const columns of [40, 60, 80, 200]) {
      expect(toHeading(toScreen(columns), long)).toMatch(/^Question from lap/);
      expect(renderRow(long, columns)).toMatch(/▾ laptop/);
    }
  });

  test('is Beckon for a sample alone, and for nothing that says that it is one', () => {
    const sample = createQuestion({ askedBy: 'Beckon samples', chatId: 'samples', metadata: { sample: true } });
    expect(toHeading(toScreen(100), sample)).toContain('from Beckon itself, as a sample');
    const forged = {
      ...sample,
      askedBy: 'laptop',
      askerId: '1',
      metadata: { sample: true, agent: 'Beckon itself, as a sample' },
    };
    expect(toHeading(toScreen(120), forged)).toContain('from laptop (calls itself "Beckon itself, as a sample")');
    const named = { ...sample, askerId: '1' };
    expect(toHeading(toScreen(120), named)).not.toContain('Beckon itself');
  });
});

describe('what is asked, in a terminal', () => {
  test('a tool that poses as another is marked in the list and in full', () => {
    expect(toHeadline(call('Bаsh', {}))).toBe('Bа[U+0430]sh');
    expect(renderRow(call('Bаsh', {}), 80)).toContain('> 1   ⚠ Bа[U+0430]sh');
    expect(describeRequest(call('Ваѕһ', {}))).toMatch(
      /^⚠ Dangerous .+\n\nВ\[U\+0412\]а\[U\+0430\]ѕ\[U\+0455\]һ\[U\+04BB\]$/,
    );
  });

  test('a field with a hidden character in its name does not take the place of the real one', () => {
    const text = describeRequest(call('Bash', { command: 'ls', 'command\u200b': 'rm -rf /', 'command[U+200B]': 'id' }));
    expect(text).toBe('Bash\n$ ls\n  command[U+200B]  rm -rf /\n  command[U+200B]  id');
  });

  test('a description cannot pose as the command', () => {
    const request = { tool: 'Bash', input: { command: 'make clean' }, description: 'Lists.\n\nBash\n$ ls' };
    const text = describeRequest({ ...createQuestion(), kind: 'approval', request } as Interaction);
    expect(text).toBe('» Lists.\n» \n» Bash\n» $ ls\n\nBash\n$ make clean');
  });

  test('a mark that the agent writes itself hides nothing', () => {
    expect(describeRequest(call('Bash', { command: 'Bа[U+0430]sh \u202e[U+202E]' }))).toContain(
      'Bа[U+0430]sh [U+202E][U+202E]',
    );
  });

  test('an input is handed to the editor with escapes for what would be unseen, and comes back the same', async () => {
    const value = { command: 'ls\u001b[8m\u202e\u{e0041}\u200d', host: 'pаypal' };
    let given = '';
    const editText = async (text: string): Promise<string> => {
      given = text;
      return text;
    };
    const context = { screen: toScreen(80), signal: new AbortController().signal, editText };
    expect(await editJson(context, value, 'input.json')).toEqual({ value });
    expect(given).toMatch(/^[\n -~]*$/);
  });

  test('a plan of Claude Code is offered without a context that nobody can clear', async () => {
    const terminal = createFakeTerminal({ columns: 80, rows: 24 });
    const screen = new Screen(terminal.input, terminal.output, AT_ONCE);
    const plan = {
      ...createQuestion({ metadata: { agent: 'claude-code' } }),
      kind: 'plan_review',
      request: { plan: '# Plan', toolInput: {} },
    } as unknown as Interaction;
    const leave = new AbortController();
    const answering = promptFor(plan, { screen, signal: leave.signal, editText: async (text) => text });
    await terminal.seen(/Accept this plan\?[^]*Accept, and ask before each edit[^]*Send back with feedback/);
    expect(terminal.screen()).not.toMatch(/context/);
    terminal.press(KEYS.down + KEYS.enter);
    expect(await answering).toEqual({ decision: 'default' });
  });
});
