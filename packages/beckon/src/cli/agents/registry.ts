import { BeckonError } from '../../protocol/errors.ts';
import type { AgentClient, AgentReport } from './agent-client.ts';
import { claudeCode } from './claude-code.ts';

/** Every agent that Beckon connects to, in the order of lists. */
export const AGENT_CLIENTS: readonly AgentClient[] = [claudeCode];

/** An agent, and what was found on this machine. */
export interface InspectedAgent {
  client: AgentClient;
  report: AgentReport;
}

/** The agents of these names, each once; all of them if there are no names. Throws `invalid_input` for others. */
export function chooseAgents(names: readonly string[]): readonly AgentClient[] {
  const known = AGENT_CLIENTS.map(({ name }) => name);
  const unknown = names.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) {
    throw new BeckonError(
      'invalid_input',
      `Beckon does not know the agent ${JSON.stringify(unknown)}. Choose from: ${known.join(', ')}`,
    );
  }
  return names.length === 0 ? AGENT_CLIENTS : AGENT_CLIENTS.filter(({ name }) => names.includes(name));
}

/** Looks for agents on this machine, all at once. One that cannot be looked at has that as its problem. */
export function inspectAgents(clients: readonly AgentClient[]): Promise<InspectedAgent[]> {
  return Promise.all(
    clients.map(async (client) => {
      try {
        return { client, report: await client.inspect() };
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        const report = { program: null, version: null, isConnected: false, how: 'unknown', problems: [problem] };
        return { client, report };
      }
    }),
  );
}
