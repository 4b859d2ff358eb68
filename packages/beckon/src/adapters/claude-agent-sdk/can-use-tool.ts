import { hash } from 'node:crypto';
import type { Beckon } from '../../core/beckon.ts';
import { request } from '../../core/request.ts';
import type { Duration } from '../../protocol/duration.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { type JsonObject, JsonRecord } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import { toToolDecision } from '../claude/tool-decision.ts';
import { toToolRequests } from '../claude/tool-requests.ts';
import type { CanUseTool, OnElicitation, PermissionResult } from './sdk-types.ts';

/** Where and for how long people are asked. */
export interface AgentOptions {
  /** The chat in which people are asked. Default: that of Beckon. */
  chatId?: string;
  /** The session that people see on the requests. */
  sessionId?: string;
  /** How long people have to answer; `null` never times out. Default: that of Beckon, 300 seconds. */
  timeout?: Duration | null;
}

/**
 * Lets people decide through Beckon about an Agent SDK agent's questions, plan reviews and permissions. After a crash
 * the same tool call finds its request, or its answer. What nobody answers is denied, with the reason.
 */
export function canUseTool(beckon: Beckon, options: AgentOptions = {}): CanUseTool {
  return async (toolName, toolInput, { signal, suggestions, toolUseID, agentID }) => {
    try {
      const input = parse(JsonRecord, toolInput, { what: `input of ${toolName}` });
      const requests = toToolRequests({ tool: toolName, input, suggestions: suggestions as JsonObject[] | undefined });
      if (requests.length === 0) return { behavior: 'allow', updatedInput: input };
      // The key also covers what is asked and where: an answer must never count for another call, even if an id is
      // reused.
      const key = hash('sha256', JSON.stringify([toolUseID, options.sessionId, options.chatId, toolName, input]));
      const settled: Interaction[] = [];
      const steps = requests.length;
      for (const [index, asked] of requests.entries()) {
        const metadata = {
          agent: 'claude-agent-sdk',
          toolUseId: toolUseID,
          ...(agentID !== undefined && { agentId: agentID }),
          ...(steps > 1 && { step: index + 1, steps }),
        };
        const named = { groupId: toolUseID, idempotencyKey: `sdk:${key}:${index}`, metadata };
        const interaction = await request(beckon, { ...asked, ...named, ...toShared(options) }, { signal });
        if (interaction.status !== 'answered') return deny(explain(interaction));
        settled.push(interaction);
      }
      return toPermission(toToolDecision(input, settled), input);
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
    const { answer } = await request(
      beckon,
      { kind: 'form', request: { message, schema }, metadata: { agent: 'claude-agent-sdk' }, ...toShared(options) },
      { signal },
    );
    return answer === undefined ? { action: 'cancel' } : { action: 'accept', content: answer.values };
  };
}

function toShared({ chatId, sessionId, timeout }: AgentOptions): AgentOptions {
  return {
    ...(chatId !== undefined && { chatId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(timeout !== undefined && { timeout }),
  };
}

function toPermission(decision: ReturnType<typeof toToolDecision>, input: JsonObject): PermissionResult {
  if (decision === null) return deny('Nobody decided.');
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
