import type { Interaction } from 'beckon/protocol';
import { expect, test } from 'vitest';
import { summarize } from './request-summary.ts';

function interaction(kind: Interaction['kind'], request: object): Interaction {
  const shared = {
    id: 'int_1',
    chatId: 'c',
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00Z',
  };
  return { ...shared, kind, request } as Interaction;
}

test.each([
  ['question', { question: 'Which\n  database?', options: [] }, 'Which database?'],
  ['plan_review', { plan: '\n---\n## The *plan*\n\n1. do it', toolInput: {} }, 'The *plan*'],
  ['plan_review', { plan: ' \n', toolInput: {} }, 'An empty plan'],
  ['approval', { tool: 'Bash', input: { command: 'rm -rf x', description: 'Clean' } }, 'Bash: rm -rf x'],
  ['approval', { tool: 'Write', input: { content: 'x', file_path: '/a' } }, 'Write: /a'],
  ['approval', { tool: 'mcp__x', input: { a: 1 } }, 'mcp__x: {"a":1}'],
  ['approval', { tool: 'mcp__x', input: {} }, 'mcp__x'],
  ['form', { message: 'Who are you?', schema: {} }, 'Who are you?'],
  ['form', { message: '', schema: {} }, 'A form'],
  ['component', { components: [{ type: 'card', title: 'Sales' }] }, 'Sales'],
  ['component', { components: [] }, 'Something to look at'],
] as const)('a %s of %j is "%s"', (kind, request, line) => {
  expect(summarize(interaction(kind, request))).toBe(line);
});

test('what would lie is spelled out', () => {
  const line = summarize(interaction('approval', { tool: 'Bash', input: { command: 'cat a\u202etxt.sh\u001b[2K' } }));
  expect(line).toBe('Bash: cat a[U+202E]txt.sh[U+001B][2K');
});

test('a megabyte is cut in no time', () => {
  const start = performance.now();
  const line = summarize(interaction('plan_review', { plan: '#'.repeat(1_000_000), toolInput: {} }));
  expect(line.length).toBeLessThanOrEqual(200);
  expect(performance.now() - start).toBeLessThan(200);
});
