import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { createQuestion } from '../testing/suites/samples.ts';
import { toClosing } from './closing.ts';

const by = { who: 'ada\u001b[2J', via: 'telegram', kind: 'person' } as const;

test('a closing line says what it was, who answered and where', () => {
  const settled = createQuestion({ status: 'answered', answer: { text: 'SQLite' }, answeredBy: by });
  expect(toClosing(settled).text).toBe('✓ Which database? - Answered by ada[U+001B][2J in Telegram: SQLite');
});

test('allowed and denied differ in mark, word and color', () => {
  const call = { ...createQuestion(), kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } };
  const decide = (decision: string): Interaction =>
    ({ ...call, status: 'answered', answer: { decision }, answeredBy: by }) as unknown as Interaction;
  expect(toClosing(decide('allow'))).toMatchObject({ text: expect.stringMatching(/^✓ ls - Allowed /), style: 'green' });
  expect(toClosing(decide('deny'))).toMatchObject({ text: expect.stringMatching(/^✗ ls - Denied /), style: 'red' });
});
