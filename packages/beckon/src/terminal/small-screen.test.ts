import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { AT_ONCE, createFakeTerminal } from '../testing/harness/terminal/fake-terminal.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { promptFor } from './prompt-answer.ts';
import { begin, PromptLeft } from './prompt-context.ts';
import { Screen } from './screen.ts';

const SIZES: [number, number][] = [
  [40, 20],
  [60, 30],
  [80, 24],
];
const LINES = Array.from({ length: 22 }, (_, index) => `line ${index}`);

test.each(SIZES)('at %i columns and %i rows the top of an approval does not scroll away', async (columns, rows) => {
  for (let count = 1; count <= LINES.length; count += 1) {
    const request = { tool: 'Bash', input: { command: LINES.slice(0, count).join('\n') } };
    const screen = await see({ ...createQuestion(), kind: 'approval', request } as Interaction, columns, rows);
    expect(screen).toMatch(/^┌ {2}The heading\n[^]*Bash[^]*Allow this\?/);
  }
});

test.each(SIZES)('at %i columns and %i rows the top of a plan does not scroll away', async (columns, rows) => {
  for (let count = 1; count <= LINES.length; count += 1) {
    const request = { plan: LINES.slice(0, count).join('\n') };
    const screen = await see({ ...createQuestion(), kind: 'plan_review', request } as Interaction, columns, rows);
    expect(screen).toMatch(/^┌ {2}The heading\n[^]*Plan[^]*Accept this plan\?/);
  }
});

test.each(SIZES)('at %i columns and %i rows a question with previews does not scroll away', async (columns, rows) => {
  const options = ['SQLite', 'Postgres'].map((label) => ({ label, description: 'x'.repeat(50), preview: 'one\ntwo' }));
  const screen = await see(createQuestion({ request: { question: 'Which?', options } }), columns, rows);
  expect(screen).toMatch(/^┌ {2}The heading\n[^]*Previews[^]*Which\?/);
});

test.each(SIZES)('at %i columns and %i rows nothing that fits is paged', async (columns, rows) => {
  const screens: string[] = [];
  for (let count = 1; count <= LINES.length; count += 1) {
    const request = { tool: 'Bash', input: { command: LINES.slice(0, count).join('\n') } };
    const screen = await see({ ...createQuestion(), kind: 'approval', request } as Interaction, columns, rows);
    if (screen.includes('line 0')) screens.push(screen);
  }
  // The last one that is not paged fills the screen down to the row of the cursor.
  expect(screens.at(-1)?.trimEnd().split('\n')).toHaveLength(rows - 1);
});

/** What the person sees when they decide: after the pager, where there is one. */
async function see(interaction: Interaction, columns: number, rows: number): Promise<string> {
  const terminal = createFakeTerminal({ columns, rows });
  const leaving = new AbortController();
  const screen = new Screen(terminal.input, terminal.output, AT_ONCE);
  screen.open();
  const context = {
    screen,
    signal: leaving.signal,
    editText: () => Promise.reject(new Error('No editor here.')),
    heading: 'The heading',
  };
  begin(context);
  const prompting = promptFor(interaction, context);
  await terminal.seen(/to decide|Enter: confirm/);
  if (/to decide/.test(terminal.screen())) {
    terminal.press('q');
    await terminal.seen(/Enter: confirm/);
  }
  const seen = terminal.screen();
  leaving.abort();
  await expect(prompting).rejects.toThrow(PromptLeft);
  screen.close();
  return seen;
}
