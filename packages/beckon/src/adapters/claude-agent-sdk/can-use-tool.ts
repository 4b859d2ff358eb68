import { hash } from 'node:crypto';
import type { Beckon } from '../../core/beckon.ts';
import { request, requestGroup } from '../../core/request.ts';
import type { ContextInput } from '../../protocol/context.ts';
import type { Duration } from '../../protocol/duration.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { type JsonObject, JsonRecord } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import type { Escalation } from '../../protocol/time-policy.ts';
import { type AgentCall, gatherSurroundings, type Surroundings } from '../claude/surroundings.ts';
import { toToolDecision } from '../claude/tool-decision.ts';
import { toToolRequests } from '../claude/tool-requests.ts';
import type { CanUseTool, OnElicitation, PermissionResult } from './sdk-types.ts';

const AGENT = 'claude-agent-sdk';

/** What surrounds a call: the same for all, or one for each. `off`: nothing is sent. */
export type AgentContext = ContextInput | ((call: AgentCall) => ContextInput | Promise<ContextInput>) | 'off';

/** Where and for how long people are asked, and what they see around a request. */
export interface AgentOptions {
  /** The chat in which people are asked. Default: that of Beckon. */
  chatId?: string;
  /** The session that people see on the requests. */
  sessionId?: string;
  /** How long people have to answer; `null` never times out. Default: that of Beckon, 300 seconds. */
  timeout?: Duration | null;
  /** Reminds people once after this time; `null` never. Default: as the chat or project says. */
  remindAfter?: Duration | null;
  /** Passes what waits on, to a person or a destination. Default: as the chat or project says. */
  escalate?: Escalation[];
  /**
   * What surrounds the calls, or a function that says it for one call: the session's title, the person's prompt, the
   * agent's last message. Project, branch, machine and the files that a call changes are filled in. `off` sends none.
   */
  context?: AgentContext;
  /** The folder in which the agent works. Default: that of the process. */
  cwd?: string;
}

/**
 * Lets people decide through Beckon about an Agent SDK agent's questions, plan reviews and permissions. After a crash
 * the same tool call finds its request, or its answer. What nobody answers is denied, with the reason; so is a call
 * whose files have changed since it was asked.
 */
export function canUseTool(beckon: Beckon, options: AgentOptions = {}): CanUseTool {
  return async (toolName, toolInput, { signal, suggestions, toolUseID, agentID }) => {
    try {
      const input = parse(JsonRecord, toolInput, { what: `input of ${toolName}` });
      const requests = toToolRequests({ tool: toolName, input, suggestions: suggestions as JsonObject[] | undefined });
      if (requests.length === 0) return { behavior: 'allow', updatedInput: input };
      const call = { tool: toolName, input, toolUseId: toolUseID };
      const surroundings = await surround(call, options);
      // The key also covers what is asked and where: an answer must never count for another call, even if an id is
      // reused.
      const key = hash('sha256', JSON.stringify([toolUseID, options.sessionId, options.chatId, toolName, input]));
      const shared = {
        groupId: `sdk_${key.slice(0, 40)}`,
        metadata: {
          agent: AGENT,
          toolUseId: toolUseID,
          ...(agentID !== undefined && { agentId: agentID }),
          ...(surroundings.mark !== undefined && { files: surroundings.mark }),
        },
        ...(surroundings.context !== undefined && { context: surroundings.context }),
        ...toShared(options),
      };
      const asks = requests.map((asked, index) => ({ ...asked, ...shared, idempotencyKey: `sdk:${key}:${index}` }));
      const settled = await requestGroup(beckon, asks, { signal });
      const permission = toPermission(toToolDecision(input, settled), input, settled);
      const changed = permission.behavior === 'allow' ? surroundings.findChange(settled) : null;
      if (changed === null) return permission;
      for (const { id } of settled) await beckon.note(id, { type: 'withheld', reason: changed });
      return deny(changed);
    } catch (error) {
      // An agent that sends something invalid, or reaches nobody, is told so and may continue.
      if (error instanceof BeckonError) return deny(error.message);
      throw error;
    }
  };
}

/** Lets people fill in the forms of an Agent SDK agent's MCP servers through Beckon. */
export function onElicitation(beckon: Beckon, options: AgentOptions = {}): OnElicitation {
  return async ({ message, mode, requestedSchema }, { signal }) => {
    if ((mode !== undefined && mode !== 'form') || requestedSchema === undefined) return { action: 'decline' };
    const schema = parse(JsonRecord, requestedSchema, { what: 'requested schema' });
    const call = { tool: 'Elicitation', input: { message }, toolUseId: '' };
    const { context } = await surround(call, options);
    const form = { kind: 'form', request: { message, schema }, metadata: { agent: AGENT } } as const;
    const asked = { ...form, ...toShared(options), ...(context !== undefined && { context }) };
    const { answer } = await request(beckon, asked, { signal });
    return answer === undefined ? { action: 'cancel' } : { action: 'accept', content: answer.values };
  };
}

async function surround(
  call: AgentCall,
  { context: given = {}, cwd: folder = process.cwd() }: AgentOptions,
): Promise<Surroundings> {
  const said = typeof given === 'function' ? await given(call) : given;
  return gatherSurroundings(call, { folder, said: said === 'off' ? said : { agent: 'Claude Agent SDK', ...said } });
}

function toShared({
  chatId,
  sessionId,
  timeout,
  remindAfter,
  escalate,
}: AgentOptions): Omit<AgentOptions, 'context' | 'cwd'> {
  return {
    ...(chatId !== undefined && { chatId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(timeout !== undefined && { timeout }),
    ...(remindAfter !== undefined && { remindAfter }),
    ...(escalate !== undefined && { escalate }),
  };
}

function toPermission(
  decision: ReturnType<typeof toToolDecision>,
  input: JsonObject,
  settled: readonly Interaction[],
): PermissionResult {
  if (decision === null) {
    // Cancelling one question ends the others too, so it says more than how they ended.
    const cause =
      settled.find(({ status }) => status === 'cancelled') ?? settled.find(({ status }) => status !== 'answered');
    return deny(cause === undefined ? 'Nobody decided.' : explain(cause));
  }
  // The SDK wants the input even if it is unchanged.
  return decision.behavior === 'allow' ? { ...decision, updatedInput: decision.updatedInput ?? input } : decision;
}

function deny(message: string): PermissionResult {
  return { behavior: 'deny', message };
}

function explain({ status, reason }: Interaction): string {
  switch (status) {
    case 'expired':
      return 'Nobody answered in time.';
    case 'cancelled':
      return `The request was cancelled${reason === undefined ? '' : `: ${reason}`}.`;
    default:
      return `The request ended elsewhere${reason === undefined ? '' : `: ${reason}`}.`;
  }
}
