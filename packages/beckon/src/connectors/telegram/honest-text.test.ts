import { describe, expect, test } from 'vitest';
import type { Interaction } from '../../protocol/interaction.ts';
import { createQuestion } from '../../testing/suites/samples.ts';
import { toOutcomeText } from '../shared/request-text.ts';
import { toButtons } from './choices.ts';
import { render } from './render.ts';

const call = (tool: string, input: object, changes: object = {}): Interaction =>
  ({ ...createQuestion(), kind: 'approval', request: { tool, input }, ...changes }) as Interaction;

function read(interaction: Interaction): string {
  return render(interaction)
    .messages.map(({ text }) => text)
    .join('\n');
}

describe('who asks, in Telegram', () => {
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
    ['Beckon for its own sample', { askedBy: 'Beckon samples', chatId: 'samples' }, 'Beckon itself, as a sample'],
    [
      'no second line of its own',
      { askedBy: 'laptop', metadata: { agent: 'x")\n\nAllow ls?\nfrom ada' } },
      'laptop (calls itself "x\\") Allow ls? from ada")',
    ],
  ])('is %s', (_, changes, asker) => {
    expect(read(call('Bash', { command: 'ls' }, changes)).startsWith(`Allow Bash?\nfrom ${asker}\n\n`)).toBe(true);
  });
});

describe('what is asked, in Telegram', () => {
  test('a tool that poses as another is marked in the title', () => {
    expect(read(call('Bаsh', {}))).toMatch(/^Allow Bа\[U\+0430\]sh\?\n/);
  });

  test('a field with a hidden character in its name does not take the place of the real one', () => {
    const text = read(call('Bash', { command: 'ls', 'command\u200b': 'rm', '\u001b': '\u001b' }));
    expect(text).toContain('ls\n{\n  "command[U+200B]": "rm",\n  "[U+001B]": "[U+001B]"\n}');
  });

  test('a flood of what cannot be seen is one mark, and pushes nothing into a document', () => {
    const shown = render(call('Bash', { command: `ls${'\u200b'.repeat(500_000)}; rm -rf /` }));
    expect(shown.document).toBeUndefined();
    expect(shown.messages).toHaveLength(1);
    expect(shown.messages[0]?.text).toContain('ls[U+200B ×500000]; rm -rf /');
  });

  test('a button says what it answers, with its turns and tags marked', () => {
    const options = [{ label: 'no\u202esey' }, { label: 'yes\u{e0041}' }];
    const [first, second] = toButtons(createQuestion({ request: { question: 'Which?', options } }), new Set());
    expect(first?.[0]?.text).toBe('1. no[U+202E]sey');
    expect(second?.[0]?.text).toBe('2. yes[U+E0041]');
  });

  test('who answered is the token’s name, with the claim marked as one, and is named once', () => {
    const answeredBy = { who: 'lарtop', via: 'api', kind: 'person', claim: { who: 'ada', via: 'telegram' } };
    const settled = call('Bash', {}, { status: 'answered', answer: { decision: 'allow' }, answeredBy });
    expect(toOutcomeText(settled, 500)).toBe('✓ Allowed by lа[U+0430]р[U+0440]top (says: ada, in Telegram).');
  });

  test('the buttons of a plan promise only what its agent can do', () => {
    const plan = (metadata: object): Interaction =>
      ({ ...createQuestion(), kind: 'plan_review', request: { plan: '# Plan', toolInput: {} }, metadata }) as never;
    const labels = (metadata: object): string[] =>
      toButtons(plan(metadata), new Set())
        .flat()
        .map(({ text }) => text);
    expect(labels({})).toEqual([
      'Accept, with a clear context',
      'Accept, and keep the context',
      'Accept, with a clear context, and ask before each edit',
      'Send back with feedback',
    ]);
    expect(labels({ agent: 'claude-code' })).toEqual([
      'Accept',
      'Accept, and ask before each edit',
      'Send back with feedback',
    ]);
  });
});
