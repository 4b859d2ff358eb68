import { randomUUID } from 'node:crypto';
import { inputRequired, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { hasAsked } from '../../core/access.ts';
import { HOOK_KEY_PREFIX } from '../../core/agent-hooks.ts';
import type { Beckon } from '../../core/beckon.ts';
import { requestGroup } from '../../core/request.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { AskInput, Interaction, Settled } from '../../protocol/interaction.ts';
import { TO_ASK, TOOLS, toOutcome, toOutcomes, toStepKey } from './tools.ts';

/** What the server needs. */
export interface McpServerOptions {
  beckon: Beckon;
  version: string;
  /** The chat in which people are asked. Default: that of Beckon. */
  chatId?: string | undefined;
  /** The name of the agent that asks, if Beckon does not know it from a token. */
  askedBy?: string | undefined;
  /** The id of its token. */
  askerId?: string | undefined;
  /** How often a client hears that its call is still waiting. Default 10 seconds. */
  progressMs?: number;
}

/** Clients give up on a tool that is silent: Claude Code after five minutes. */
const PROGRESS_MS = 10_000;

/** Creates an MCP server whose tools ask people through Beckon. It serves one connection. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const server = new McpServer({ name: 'beckon', version: options.version });
  const handle = async (asked: AskInput | AskInput[], context: ServerContext) => {
    const keyed = withKeys([asked].flat(), context);
    if (keyed === null) return inputRequired({ requestState: `mcp_${randomUUID()}` });
    const stop = startProgress(context, options.progressMs ?? PROGRESS_MS);
    try {
      const settled = await ask(options, keyed, context.mcpReq.signal);
      const isOpen = settled.some(({ status }) => status !== 'answered');
      const [only] = settled;
      if (Array.isArray(asked) || only === undefined) return toResult(toOutcomes(settled), isOpen);
      return toResult(toOutcome(only), isOpen);
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      return toResult({ error: error.message }, true);
    } finally {
      stop();
    }
  };
  server.registerTool('ask_question', TOOLS.ask_question, (input, context) =>
    handle(TO_ASK.ask_question(input), context),
  );
  server.registerTool('ask_questions', TOOLS.ask_questions, (input, context) =>
    handle(TO_ASK.ask_questions(input), context),
  );
  server.registerTool('request_approval', TOOLS.request_approval, (input, context) =>
    handle(TO_ASK.request_approval(input), context),
  );
  server.registerTool('review_plan', TOOLS.review_plan, (input, context) => handle(TO_ASK.review_plan(input), context));
  server.registerTool('fill_form', TOOLS.fill_form, (input, context) => handle(TO_ASK.fill_form(input), context));
  return server;
}

/**
 * Gives a call the key under which it is found again. A client of protocol 2026-07-28 gets it before anybody is asked,
 * and repeats the call with it: after a crash, on another connection, at another Beckon on the same store. `null`: it
 * has none yet.
 */
function withKeys(inputs: AskInput[], { mcpReq }: ServerContext): AskInput[] | null {
  const keepsState = mcpReq.envelope !== undefined;
  if (!keepsState || inputs.some(({ idempotencyKey }) => idempotencyKey !== undefined)) return inputs;
  const state = mcpReq.requestState();
  if (typeof state !== 'string') return null;
  const isOne = inputs.length === 1;
  return inputs.map((input, index) => ({ ...input, idempotencyKey: isOne ? state : toStepKey(state, index) }));
}

/** Tells the client that its call is waiting, until the returned function is called. */
function startProgress({ mcpReq }: ServerContext, everyMs: number): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const tell = (): void => {
    progress += 1;
    const params = { progressToken, progress, message: 'Waiting for a person' };
    // The request of a client that is gone is aborted anyway.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  // The first one at once: over HTTP it opens the stream that the others need.
  tell();
  const timer = setInterval(tell, everyMs);
  return () => clearInterval(timer);
}

function ask(options: McpServerOptions, inputs: readonly AskInput[], signal: AbortSignal): Promise<Settled[]> {
  const { beckon, chatId, askedBy, askerId } = options;
  // A key comes from the client, and may find a hook's request.
  if (inputs.some(({ idempotencyKey: key }) => key?.startsWith(HOOK_KEY_PREFIX) === true))
    throw new BeckonError(
      'invalid_input',
      `Keys that begin with "${HOOK_KEY_PREFIX}" are for hooks. Choose another one.`,
    );
  const wanted = inputs.map((input) => ({
    ...input,
    ...(chatId !== undefined && { chatId }),
    ...(askedBy !== undefined && { askedBy }),
    ...(askerId !== undefined && { askerId }),
  }));
  // With a key the agent can come back for the answer; without one it cannot.
  const keep = inputs.every(({ idempotencyKey }) => idempotencyKey !== undefined);
  const onAsked = (asked: readonly Interaction[]): void => {
    for (const one of asked) refuseForeign(options, one);
  };
  return requestGroup(beckon, wanted, { signal, keep, onAsked });
}

// A key may also find what somebody else asked.
function refuseForeign({ askedBy, askerId }: McpServerOptions, asked: Interaction): void {
  if (askedBy === undefined || hasAsked({ name: askedBy, role: 'agent', ...(askerId && { id: askerId }) }, asked))
    return;
  throw new BeckonError('forbidden', 'This key was used by somebody else. Choose another one.');
}

function toResult(outcome: Record<string, unknown>, isError: boolean) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(outcome) }], isError };
}
