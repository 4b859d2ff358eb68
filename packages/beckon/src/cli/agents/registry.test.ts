import { expect, test } from 'vitest';
import { BeckonError } from '../../protocol/errors.ts';
import { AGENT_NAMES, type AgentClient, type AgentReport } from './agent-client.ts';
import { claudeCode } from './claude-code.ts';
import { AGENT_CLIENTS, chooseAgents, inspectAgents } from './registry.ts';

const REPORT: AgentReport = { program: '/bin/pi', version: '1.0.0', isConnected: false, how: 'not yet', problems: [] };
const CHANGE = { path: '/settings.json', before: undefined, after: '{}' };

test('every agent is there once, in the order of their names', () => {
  const names = AGENT_CLIENTS.map(({ name }) => name);
  expect(names).toEqual(AGENT_NAMES.filter((name) => names.includes(name)));
});

test('agents are chosen by name, each once', () => {
  expect(chooseAgents(['claude-code', 'claude-code'])).toEqual([claudeCode]);
  expect(chooseAgents([])).toEqual(AGENT_CLIENTS);
  expect(() => chooseAgents(['claude-code', 'Claude'])).toThrow('does not know the agent "Claude"');
});

test.each<[string, Partial<AgentClient>, string[]]>([
  [
    'an agent that can be connected',
    { inspect: async () => REPORT, planInstall: async () => [CHANGE] },
    ['Connect it with: beckon agents install pi'],
  ],
  ['one for which there is nothing to install', { inspect: async () => REPORT, planInstall: async () => [] }, []],
  [
    'one that is not on this machine',
    { inspect: async () => ({ ...REPORT, program: null }), planInstall: async () => [CHANGE] },
    [],
  ],
  [
    'one that says itself what is wrong',
    { inspect: async () => ({ ...REPORT, problems: ['Update it.'] }), planInstall: async () => [CHANGE] },
    ['Update it.'],
  ],
  [
    'one whose settings cannot be read',
    {
      inspect: async () => REPORT,
      planInstall: () => Promise.reject(new BeckonError('invalid_input', 'settings.json is not valid JSON.')),
    },
    ['settings.json is not valid JSON.'],
  ],
  ['one that cannot be looked at', { inspect: () => Promise.reject(new Error('EIO')) }, ['EIO']],
])('%s has the next step', async (_, parts, problems) => {
  const client: AgentClient = { ...claudeCode, name: 'pi', ...parts };
  const [inspected] = await inspectAgents([client]);
  expect(inspected?.report.problems).toEqual(problems);
});
