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

test.each([
  ['question', { question: 'Which\n  database?', options: [] }, 'Which database?'],
  ['question', { question: ' ', options: [] }, 'A question'],
  ['question', { question: '\u2028', options: [] }, '[U+2028]'],
  ['plan_review', { plan: '\n---\n## The *plan*\n\n1. do it', toolInput: {} }, 'The *plan*'],
  ['plan_review', { plan: ' \n', toolInput: {} }, 'An empty plan'],
  ['approval', { tool: 'Bash', input: { command: 'rm -rf x', description: 'Clean' } }, 'Bash: rm -rf x'],
  ['approval', { tool: 'Bash', input: { command: ' rm -rf x\n\n  ls\n' } }, 'Bash: rm -rf x ↵ ls'],
  ['approval', { tool: 'Write', input: { content: 'x', file_path: '/a' } }, 'Write: /a'],
  ['approval', { tool: 'mcp__x', input: { a: 1, command: '', path: 7 } }, 'mcp__x: {"a":1,"command":"","path":7}'],
  ['approval', { tool: 'mcp__x', input: { a: 1 }, description: 'Counts' }, 'mcp__x: Counts'],
  ['approval', { tool: 'mcp__x', input: {} }, 'mcp__x'],
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
