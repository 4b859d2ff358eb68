import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { toHeadline } from './headline.ts';

function toInteraction(kind: Interaction['kind'], request: object): Interaction {
  const shared = {
    id: 'int_1',
    chatId: 'default',
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  return { ...shared, kind, request } as Interaction;
}

const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: src/b.ts\n+z\n*** End Patch';

test.each([
  ['question', { question: 'Which\n  database?', options: [] }, 'Which database?'],
  ['question', { question: ' ', options: [] }, 'A question'],
  ['question', { question: '\u2028', options: [] }, '[U+2028]'],
  ['plan_review', { plan: '\n---\n## The *plan*\n\n1. do it', toolInput: {} }, 'The *plan*'],
  ['plan_review', { plan: ' \n', toolInput: {} }, 'An empty plan'],
  ['approval', { tool: 'Bash', input: { command: 'rm -rf x', description: 'Clean' } }, 'Clean · rm -rf x'],
  ['approval', { tool: 'Bash', input: { command: 'ls' }, description: 'Look' }, 'Look · ls'],
  ['approval', { tool: 'Bash', input: { command: ' rm -rf x\n\n  ls\n' } }, 'rm -rf x ↵ ls'],
  ['approval', { tool: 'Bash', input: { command: 7, timeout: 3 } }, 'Bash: {"command":7,"timeout":3}'],
  ['approval', { tool: 'Write', input: { content: 'x', file_path: '/a' } }, 'Write /a'],
  ['approval', { tool: 'Edit', input: { file_path: '/a' } }, 'Edit /a'],
  ['approval', { tool: 'MultiEdit', input: { file_path: '' } }, 'MultiEdit: {"file_path":""}'],
  ['approval', { tool: 'NotebookEdit', input: { notebook_path: '/a.ipynb' } }, 'Edit /a.ipynb'],
  ['approval', { tool: 'apply_patch', input: { input: PATCH } }, 'Patch a.ts, src/b.ts'],
  ['approval', { tool: 'apply_patch', input: { command: ['apply_patch', PATCH] } }, 'Patch a.ts, src/b.ts'],
  [
    'approval',
    { tool: 'apply_patch', input: { patch: '*** Begin Patch' } },
    'apply_patch: {"patch":"*** Begin Patch"}',
  ],
  ['approval', { tool: 'apply_patch', input: {} }, 'apply_patch'],
  ['approval', { tool: 'WebFetch', input: { url: 'https://docs.example.com/page' } }, 'Fetch docs.example.com/page'],
  ['approval', { tool: 'WebFetch', input: { url: 'http://docs.example.com' } }, 'Fetch http://docs.example.com'],
  ['approval', { tool: 'WebFetch', input: {} }, 'WebFetch'],
  ['approval', { tool: 'mcp__github__create_issue', input: { title: 'Bug', body: 'x' } }, 'GitHub: create issue: Bug'],
  ['approval', { tool: 'deploy', input: { a: 1, command: '', path: 7 } }, 'deploy: {"a":1,"command":"","path":7}'],
  ['approval', { tool: 'deploy', input: { a: 1 }, description: 'Counts' }, 'deploy: Counts'],
  ['approval', { tool: 'deploy', input: {} }, 'deploy'],
  ['form', { message: 'Who are you?', schema: {} }, 'Who are you?'],
  ['form', { message: '', schema: {} }, 'A form'],
  ['component', { components: [{ type: 'card', title: 'Sales' }] }, 'Sales'],
  ['component', { components: [] }, 'Something to look at'],
] as const)('a %s of %j reads "%s"', (kind, request, line) => {
  expect(toHeadline(toInteraction(kind, request))).toBe(line);
});

test('hidden characters are spelled out', () => {
  const call = toInteraction('approval', { tool: 'Bаsh', input: { command: 'cat a\u202etxt.sh\u001b[2K' } });
  expect(toHeadline(call)).toBe('Bа[U+0430]sh: cat a[U+202E]txt.sh[U+001B][2K');
});

test('a headline is as short as asked, and never longer than 200 characters', () => {
  const plan = toInteraction('plan_review', { plan: 'x'.repeat(1_000_000), toolInput: {} });
  expect(toHeadline(plan)).toHaveLength(200);
  expect(toHeadline(plan, 10)).toBe(`${'x'.repeat(9)}…`);
});

test('a file is created or overwritten where that is known, and named within its folder', () => {
  const files = [{ path: '/home/ada/shop/a.ts', isNew: true as const }, { path: '/home/ada/shop/b.ts' }];
  const write = (file_path: string): Interaction => ({
    ...toInteraction('approval', { tool: 'Write', input: { content: 'x', file_path } }),
    context: { folder: '/home/ada/shop', files },
  });
  expect(toHeadline(write('/home/ada/shop/a.ts'))).toBe('Create a.ts');
  expect(toHeadline(write('/home/ada/shop/b.ts'))).toBe('Overwrite b.ts');
  expect(toHeadline(write('/home/ada/shop/c.ts'))).toBe('Write c.ts');
});
