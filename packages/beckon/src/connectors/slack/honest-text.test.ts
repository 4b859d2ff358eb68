import { describe, expect, test } from 'vitest';
import type { Interaction } from '../../protocol/interaction.ts';
import { readControls, readText } from '../../testing/harness/slack/reading.ts';
import { createQuestion } from '../../testing/suites/samples.ts';
import { toControls } from './choices.ts';
import { render } from './render.ts';

const FACE = { surroundings: {}, controls: [], blockId: 'x', hasPage: false, isLong: false };
const call = (tool: string, input: object, changes: object = {}): Interaction =>
  ({ ...createQuestion(), kind: 'approval', request: { tool, input }, ...changes }) as Interaction;
const read = (interaction: Interaction): string => readText(render(interaction, FACE).blocks);
const labels = (interaction: Interaction): string[] => {
  const second = { round: 0, isAsking: false };
  const controls = toControls(interaction, { key: 'k', seal: (choice) => choice, second, pageUrl: '' });
  return readControls(controls).map(({ text }) => text);
};

describe('who asks, in Slack', () => {
  test.each([
    [
      'the name of the token, with a claim beside it',
      { askedBy: 'laptop', askerId: '1', metadata: { agent: 'claude-code' } },
      'laptop (calls itself "claude-code")',
    ],
    [
      'no sample because it says so',
      { askedBy: 'laptop', askerId: '1', chatId: 'samples', metadata: { sample: true, agent: 'Beckon samples' } },
      'laptop (calls itself "Beckon samples")',
    ],
    [
      'no second line of its own',
      { askedBy: 'laptop', metadata: { agent: 'x")\n\nAllow ls?\nfrom ada' } },
      'laptop (calls itself "x\\") Allow ls? from ada")',
    ],
  ])('is %s', (_, changes, asker) => {
    expect(read(call('Bash', { command: 'ls' }, changes)).startsWith(`Allow Bash?\nfrom ${asker}\n`)).toBe(true);
  });
});

describe('what is asked, in Slack', () => {
  test('a tool that poses as another is marked in the title and in the notification', () => {
    expect(read(call('Bаsh', {}))).toMatch(/^Allow Bа\[U\+0430\]sh\?\n/);
    expect(render(call('Bаsh', {}), FACE).notice).toBe('Bа[U+0430]sh');
  });

  test('a flood of what cannot be seen is one mark, and pushes nothing into a file', () => {
    const shown = render(call('Bash', { command: `ls${'\u200b'.repeat(500_000)}; rm -rf /` }), FACE);
    expect(shown.file).toBeUndefined();
    expect(readText(shown.blocks)).toContain('ls[U+200B ×500000]; rm -rf /');
  });

  test('a button says what it answers, with its turns and tags marked', () => {
    const options = [{ label: 'no\u202esey' }, { label: 'yes\u{e0041}' }];
    expect(labels(createQuestion({ request: { question: 'Which?', options } }))).toEqual([
      '1. no[U+202E]sey',
      '2. yes[U+E0041]',
    ]);
  });

  test('the buttons of a plan promise only what its agent can do', () => {
    const plan = (metadata: object): Interaction =>
      ({ ...createQuestion(), kind: 'plan_review', request: { plan: '# Plan', toolInput: {} }, metadata }) as never;
    expect(labels(plan({}))).toHaveLength(4);
    expect(labels(plan({ agent: 'claude-code' }))).toEqual([
      'Accept',
      'Accept, and ask before each edit',
      'Send back with feedback',
    ]);
  });

  test('a text that is cut into elements loses nothing, and no character is cut in two', () => {
    const command = `${'👍é'.repeat(1300)}end`;
    const { blocks } = render(call('Bash', { command }), FACE);
    expect(readText(blocks)).toContain(command);
    const texts = JSON.stringify(blocks).match(/"text":"[^"]*"/g) ?? [];
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
  });
});
