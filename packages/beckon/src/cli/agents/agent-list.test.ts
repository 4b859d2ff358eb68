import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import type { AgentClient, AgentReport } from './agent-client.ts';
import { findProblems, toAgentList } from './agent-list.ts';
import { claudeCode } from './claude-code.ts';

const CODEX: AgentClient = {
  ...claudeCode,
  name: 'codex',
  title: 'Codex',
  tested: '0.166.0',
  kinds: { approval: 'yes', question: 'in plan mode' },
};
const REPORT: AgentReport = { program: '/bin/x', version: '0.166.0', isConnected: true, how: 'hooks', problems: [] };

test('a wide terminal has a table of what works, with a column for each kind that some agent has', () => {
  const lines = toAgentList(
    [
      { client: claudeCode, report: { ...REPORT, version: '2.1.325' } },
      { client: CODEX, report: { ...REPORT, version: null, isConnected: false, problems: ['Say hello to it.'] } },
    ],
    100,
  ).split('\n');
  expect(lines).toEqual([
    'AGENT        VERSION  CONNECTED  QUESTION      PLAN REVIEW  APPROVAL  FORM',
    'Claude Code  2.1.325  yes        yes           yes          yes       yes',
    'Codex        unknown  no         in plan mode  no           yes       no',
    '',
    'Claude Code: connected, hooks',
    'Codex: not connected, hooks',
    '  Say hello to it.',
  ]);
});

test('a narrow terminal has the same in short lines', () => {
  const lines = toAgentList([{ client: CODEX, report: REPORT }], 40).split('\n');
  expect(lines).toEqual(['Codex: 0.166.0, connected, hooks', '  Question: in plan mode', '  Approval: yes']);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(40);
});

test('what an agent says cannot move the cursor', () => {
  const report = { ...REPORT, how: 'hooks\u001B[2J', problems: ['\u001B[1A\r'] };
  const text = toAgentList([{ client: CODEX, report }], 40);
  expect(['\u001B', '\r'].filter((character) => text.includes(character))).toEqual([]);
});

test.each([
  [{ ...REPORT, version: '0.165.9' }, ['Version 0.165.9 is older than 0.166.0']],
  [{ ...REPORT, version: '0.167.0' }, ['Version 0.167.0 is newer than 0.166.0']],
  [{ ...REPORT, version: '0.166.0-alpha.3' }, ['Version 0.166.0-alpha.3 is not 0.166.0']],
  [{ ...REPORT, version: null }, []],
  [{ ...REPORT, isConnected: false, problems: ['Its hooks cannot allow.'] }, ['Its hooks cannot allow.']],
])('%j has a line for each problem', (report, expected) => {
  expect(findProblems(CODEX, report)).toEqual(expected.map((text) => expect.stringContaining(text)));
});
