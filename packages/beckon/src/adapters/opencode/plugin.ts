import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ContextInput } from '../../protocol/context.ts';
import type { Settled } from '../../protocol/interaction.ts';
import { JsonRecord } from '../../protocol/json.ts';
import { gatherSurroundings, type Surroundings } from '../claude/surroundings.ts';
import { askOutside, type Outside, type OutsideWait } from '../shared/ask-outside.ts';
import { toOpencodeClient } from './client.ts';
import { readConversation } from './conversation.ts';
import { type OpencodeEvent, type PermissionAsked, type QuestionAsked, type Replied, readEvent } from './events.ts';
import { Recent } from './recent.ts';
import { type OpencodeCall, toApproval, toQuestions } from './to-asks.ts';
import { type OpencodeReply, toRejection, toReply } from './to-reply.ts';

/** What opencode gives a plugin, as far as it is used. */
export interface PluginInput {
  client: unknown;
  directory: string;
}

/** What opencode calls. None of it waits for people: opencode would stand still. */
export interface PluginHooks {
  event(input: { event: unknown }): Promise<void>;
  'tool.execute.before'(input: unknown, output: unknown): Promise<void>;
}

/** A request of opencode that is open in Beckon. */
interface Open {
  sessionId: string;
  /** Set once it is asked. */
  wait?: OutsideWait;
  /** Why it ended before that. */
  endedBy?: string;
}

type AskedEvent = Extract<OpencodeEvent, { type: `${string}.asked` }>;

/** How long people have. opencode itself waits forever; a process that died would leave requests behind. */
const TIMEOUT = '23h';
const MOST_REMEMBERED = 1000;
const NOT_FOUND = 404;

const ToolBefore = z.object({ tool: z.string(), callID: z.string() });
const ToolArgs = z.object({ args: JsonRecord });

/**
 * The plugin of opencode: its permissions and questions wait in Beckon while its own dialog is open, and the first
 * answer counts. Whatever fails here, opencode goes on as without Beckon.
 */
export function createOpencodePlugin(outside: Outside, { client: given, directory }: PluginInput): PluginHooks {
  const client = toOpencodeClient(given);
  const open = new Map<string, Open>();
  const over = new Recent<true>(MOST_REMEMBERED);
  const calls = new Recent<OpencodeCall>(MOST_REMEMBERED);

  return {
    event: async ({ event }) => {
      const read = readEvent(event);
      if (read !== null) take(read);
    },
    'tool.execute.before': async (input, output) => {
      const [call, { args }] = [z.safeParse(ToolBefore, input), z.safeParse(ToolArgs, output).data ?? {}];
      if (call.success && args !== undefined) calls.set(call.data.callID, { tool: call.data.tool, args });
    },
  };

  function take(event: OpencodeEvent): void {
    switch (event.type) {
      case 'permission.asked':
      case 'question.asked':
        return void ask(event);
      case 'replied':
        over.set(event.properties.requestID, true);
        return end(event.properties.requestID, toReason(event.properties));
      case 'ended':
        // opencode says nothing about requests of a turn that was aborted.
        for (const [id, { sessionId }] of open) if (sessionId === event.sessionId) end(id, 'opencode ended the turn');
        return;
      case 'disposed':
        for (const id of open.keys()) end(id, 'opencode ended');
    }
  }

  async function ask(event: AskedEvent): Promise<void> {
    const { id, sessionID: sessionId } = event.properties;
    if (open.has(id) || over.get(id)) return;
    const entry: Open = { sessionId };
    open.set(id, entry);
    try {
      const said = { agent: 'opencode', ...(await readConversation(client, sessionId)) };
      if (entry.endedBy !== undefined) return;
      const { asks, surroundings } = toAsks(event, said);
      entry.wait = askOutside(outside, asks);
      const settled = await entry.wait.settled;
      // From here on it is our own reply that opencode reports.
      open.delete(id);
      over.set(id, true);
      if (settled !== null) await send(id, settled, surroundings);
    } catch {
      // Too large for Beckon, or nothing that it knows: the terminal asks.
    } finally {
      open.delete(id);
    }
  }

  function toAsks(event: AskedEvent, said: ContextInput) {
    const requests = toRequests(event);
    const [first] = requests;
    const call = first?.kind === 'approval' ? first.request : { tool: 'question', input: {} };
    const surroundings = gatherSurroundings(call, { said, folder: directory });
    const shared = toShared(event.properties, surroundings);
    // The key covers all that is asked: an answer must never count for another call, even if an id is reused.
    const key = hash('sha256', JSON.stringify([event.properties, directory]));
    const asks = requests.map((one, index) => ({ ...one, ...shared, idempotencyKey: `opencode:${key}:${index}` }));
    return { asks, surroundings };
  }

  function toRequests(event: AskedEvent) {
    if (event.type === 'question.asked') return toQuestions(event.properties);
    const { tool } = event.properties;
    const call = tool === undefined ? undefined : calls.get(tool.callID);
    return [{ kind: 'approval' as const, request: toApproval(event.properties, call) }];
  }

  function toShared({ id, sessionID, tool }: PermissionAsked | QuestionAsked, { context, mark }: Surroundings) {
    return {
      sessionId: sessionID,
      timeout: TIMEOUT,
      metadata: {
        agent: 'opencode',
        cwd: directory,
        requestId: id,
        ...(tool !== undefined && { toolUseId: tool.callID }),
        ...(mark !== undefined && { files: mark }),
      },
      ...(context !== undefined && { context }),
    } as const;
  }

  function end(id: string, reason: string): void {
    const entry = open.get(id);
    if (entry === undefined) return;
    entry.endedBy ??= reason;
    void entry.wait?.end(reason);
  }

  async function send(id: string, settled: readonly Settled[], surroundings: Surroundings): Promise<void> {
    const reply = toReply(settled);
    if (reply === null) return;
    const changed = isConsent(reply) ? surroundings.findChange(settled) : null;
    const { url, body } = changed === null ? reply : toRejection(changed);
    const status = await client.post(url, { requestID: id }, body).catch(() => 0);
    if (changed !== null) return note(settled, changed);
    if (status === NOT_FOUND) await note(settled, 'opencode no longer waited for it: it was answered in the terminal.');
    else if (status < 200 || status > 299)
      await note(settled, 'opencode did not take the answer. Answer in its terminal.');
  }

  async function note(settled: readonly Settled[], reason: string): Promise<void> {
    const beckon = outside.open({ retryFor: '1m' });
    for (const { id } of settled) await beckon?.note(id, { type: 'withheld', reason });
  }
}

function isConsent({ body }: OpencodeReply): boolean {
  return 'reply' in body && body.reply !== 'reject';
}

function toReason({ reply, answers, isRejected }: Replied & { isRejected: boolean }): string {
  if (isRejected) return 'Denied in opencode’s terminal';
  if (reply === 'always') return 'Allowed in opencode’s terminal, and remembered there';
  if (reply !== undefined) return 'Allowed in opencode’s terminal';
  const said = answers?.map((labels) => labels.join(', ')).join('; ');
  return said ? `Answered in opencode’s terminal: ${said}`.slice(0, 500) : 'Answered in opencode’s terminal';
}
