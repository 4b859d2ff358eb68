import { expect, test } from 'vitest';
import type { Finding } from '../protocol/risk.ts';
import { describeRisk, explainDanger, toReason } from './describe-risk.ts';

const find = (sentence: string, level: Finding['level'] = 'dangerous'): Finding => ({ code: 'c', level, sentence });

test.each([
  ['Rewrites what others may have pulled.', 'rewrites what others may have pulled'],
  ['rewrites history', 'rewrites history'],
  ['A program that runs others.', 'a program that runs others'],
  ['SQL that empties a table.', 'SQL that empties a table'],
])('"%s" is a reason: %s', (sentence, reason) => {
  expect(toReason({ sentence })).toBe(reason);
});

test('the level comes with its reasons, each once', () => {
  const grave = [find('Runs as root.'), find('Pipes into a shell.'), find('Runs as root.'), find('Deletes.')];
  const findings = [...grave, find('Publishes.', 'notable')];
  expect(describeRisk({ level: 'routine', findings: [] })).toBe('Routine');
  expect(describeRisk({ level: 'dangerous', findings })).toBe('Dangerous: runs as root; pipes into a shell; deletes');
  expect(describeRisk({ level: 'dangerous', findings }, 1)).toBe('Dangerous: runs as root; and 2 more');
  expect(describeRisk({ level: 'notable', findings: findings.slice(-1) }, 1)).toBe('Notable: publishes');
});

test('somebody who only says yes reads why that is not enough, and what is', () => {
  expect(explainDanger({ level: 'dangerous', findings: [find('Runs as root.')] }, 'allow anyway')).toBe(
    'Dangerous: runs as root. A plain yes does not allow this. To allow it, write: allow anyway',
  );
});
