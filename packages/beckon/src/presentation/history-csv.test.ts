import { describe, expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import { HISTORY_CSV_HEAD, toHistoryCsvLine } from './history-csv.ts';

const pending: InteractionOf<'question'> = {
  id: 'int_1',
  chatId: 'default',
  kind: 'question',
  request: { question: 'Which database?', options: [] },
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};

test('a history has a head, and one line for each request', () => {
  expect(HISTORY_CSV_HEAD).toBe(
    'id,asked at,settled at,project,branch,session,kind,headline,risk,decision,person,via,answer,reason\r\n',
  );
  expect(toHistoryCsvLine(pending)).toBe(
    'int_1,2026-01-01T00:00:00.000Z,,,,,question,Which database?,,pending,,,,\r\n',
  );
});

test('a line says who decided what, where and why, and how risky it was', () => {
  const denied: Parameters<typeof toHistoryCsvLine>[0] = {
    ...pending,
    kind: 'approval',
    request: { tool: 'Bash', input: { command: 'git push --force' } },
    sessionId: 'ses_1',
    context: { project: 'webshop', branch: 'main' },
    status: 'answered',
    answer: { decision: 'deny', message: 'not on a Friday, "please"' },
    answeredBy: { who: 'ada', via: 'inbox', kind: 'person' },
    settledAt: '2026-01-01T00:01:00.000Z',
    risk: { level: 'dangerous' },
  };
  expect(toHistoryCsvLine(denied)).toBe(
    'int_1,2026-01-01T00:00:00.000Z,2026-01-01T00:01:00.000Z,webshop,main,ses_1,approval,git push --force,dangerous,denied,' +
      'ada,inbox,"denied, not on a Friday, ""please""",\r\n',
  );
  expect(toHistoryCsvLine({ ...pending, status: 'cancelled', reason: 'two\nlines' })).toMatch(/,"two\nlines"\r\n$/);
});

describe('a cell', () => {
  test.each<[string, string]>([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
    ['a=1', 'a=1'],
    ['a\u001b[2J', 'a[U+001B][2J'],
  ])('%j is never a formula, and hides nothing', (reason, cell) => {
    expect(toHistoryCsvLine({ ...pending, status: 'cancelled', reason }).split(',cancelled,,,,')[1]).toBe(
      `${cell}\r\n`,
    );
  });
});
