import { BeckonError } from '../../protocol/errors.ts';
import type { AgentClient, AgentReport } from './agent-client.ts';
import { claudeCode } from './claude-code.ts';
import { codexHook } from './codex-hook.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

/** Every agent that Beckon connects to, in the order of lists. */
export const AGENT_CLIENTS: readonly AgentClient[] = [claudeCode, codexHook, opencode, copilot, qwen, gemini, pi];

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
  return Promise.all(clients.map(async (client) => ({ client, report: await inspectAgent(client) })));
}

async function inspectAgent(client: AgentClient): Promise<AgentReport> {
  let report: AgentReport = { program: null, version: null, isConnected: false, how: 'unknown', problems: [] };
  try {
    report = await client.inspect();
    if (report.program === null || report.isConnected || report.problems.length > 0) return report;
    // Not every agent that is not connected can be: some ask only while they run, or in an editor.
    if ((await client.planInstall()).length === 0) return report;
    return { ...report, problems: [`Connect it with: beckon agents install ${client.name}`] };
  } catch (error) {
    return { ...report, problems: [error instanceof Error ? error.message : String(error)] };
  }
}
