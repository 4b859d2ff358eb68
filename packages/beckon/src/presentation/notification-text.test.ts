import { expect, test } from 'vitest';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { describeRequest, toNotificationTitle } from './notification-text.ts';

const approval: InteractionOf<'approval'> = {
  id: 'int_1',
  chatId: 'default',
  kind: 'approval',
  request: { tool: 'Bash', input: { command: 'git push' } },
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-11-17T10:00:00.000Z',
};

test.each([
  [undefined, 'git push'],
  ['routine', 'git push'],
  ['notable', '△ Notable: git push'],
  ['dangerous', '⚠ Dangerous: git push'],
] as const)('the title of a request with the level %s is "%s"', (level, title) => {
  expect(toNotificationTitle(approval, level)).toBe(title);
});

test('a long headline is cut, and what would not be seen is marked', () => {
  const request = { tool: 'Bash', input: { command: `rm\u202e ${'a'.repeat(300)}` } };
  const title = toNotificationTitle({ ...approval, request }, 'dangerous', 40);
  expect(title).toMatch(/^⚠ Dangerous: rm\[U\+202E\] a+…$/);
  expect(title.length).toBeLessThan(60);
});

test('the line below says kind, asker and project, and which of several questions it is', () => {
  expect(describeRequest(approval)).toBe('Approval from an agent');
  expect(
    describeRequest({
      ...approval,
      kind: 'question',
      request: { question: 'Which?', options: [] },
      askedBy: 'laptop',
      metadata: { agent: 'scout', step: 2, steps: 3 },
      context: { project: 'web\u200bshop' },
    } as Interaction),
  ).toBe('Question 2 of 3 from laptop (calls itself "scout") · web[U+200B]shop');
});
