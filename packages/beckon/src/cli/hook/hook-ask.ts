import type { HookDialect } from '../../adapters/hooks/hook-dialect.ts';
import { gatherContext } from '../../context/gather-context.ts';
import { checkFiles, type SeenFile } from '../../context/gather-files.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { findContextLevel } from '../../where/context-level.ts';
import type { PostReply } from './hook-post.ts';
import { readPrompts } from './prompts.ts';
import { type SentHook, toHookPath } from './sent-hook.ts';

/** Sends a text to a path of Beckon, or asks for the path; the reply may take as long as people do, without a limit. */
type Send = (path: string, text?: string, limitMs?: number) => Promise<PostReply>;

/** One attempt to get the reply of people. */
interface AskAttempt {
  /** What the attempt adds to the query. */
  query: string;
  /** Whether Beckon has what surrounds the call. */
  isKept: boolean;
  limitMs?: number;
}

/** How Beckon is reached. */
export interface Line {
  send: Send;
  /** Makes attempts until there is a reply, or no hope of one. */
  persist(attempt: (attempt: AskAttempt) => Promise<PostReply>): Promise<PostReply>;
  /** How long Beckon may take for what people do not have to wait for. */
  limitMs: number;
}

/**
 * Asks people, with what surrounds the call. An "allow" is handed over only if the files that the call will change are
 * as they were when it was asked: otherwise the reply says no, and why. If people change the input, files that only the
 * changed input names are not covered: whoever wrote it has not been shown them either.
 */
export async function askPeople(
  asked: Pick<SentHook, 'dialect' | 'hook' | 'sessionId' | 'text'> & { query: string },
  line: Line,
): Promise<PostReply> {
  const { dialect, hook, sessionId = '', text, query } = asked;
  const { agent, title, hasTranscript = false } = dialect;
  const level = findContextLevel(process.env);
  const told = hasTranscript ? 'transcript' : readPrompts(agent, sessionId);
  const { context, seen } = gatherContext(hook, { level, agent: title, told });
  const envelope = context === undefined ? undefined : JSON.stringify({ hook: text, context });
  const { send } = line;
  const reply = await line.persist(async ({ query: more, isKept, limitMs }) => {
    const sent =
      envelope === undefined || isKept
        ? undefined
        : await send(toHookPath(dialect, `${query}${more}`, '/with-context'), envelope, limitMs);
    // A Beckon that was started before an update does not know this path yet.
    const isKnown = sent?.result === 'refused' ? sent.status !== 404 : sent !== undefined;
    return sent !== undefined && isKnown ? sent : send(toHookPath(dialect, `${query}${more}`), text, limitMs);
  });
  if (reply.result !== 'replied' || seen.length === 0 || !dialect.isAllow(JSON.parse(reply.text) as JsonObject))
    return reply;
  const { interactionId: id } = reply;
  const reason = await findChange(hook, seen, id, line);
  if (reason === null) return reply;
  if (id !== undefined) {
    // The refusal stands, noted or not.
    await send(`/v1/interactions/${id}/notes`, JSON.stringify({ type: 'withheld', reason }), line.limitMs);
  }
  return { result: 'replied', text: JSON.stringify(toRefusal(dialect, hook, reason)) };
}

/** Why the call must not run because a file has changed, or `null`. */
async function findChange(
  { hook_event_name: event }: JsonObject,
  seen: readonly SeenFile[],
  id: string | undefined,
  { send, limitMs }: Line,
): Promise<string | null> {
  const changed = checkFiles(seen);
  // A deferred call was asked by another process, so Beckon knows better what the files were.
  if (changed !== null || event !== 'PreToolUse' || id === undefined) return changed;
  const reply = await send(`/v1/interactions/${id}/context`, undefined, limitMs);
  if (reply.result !== 'replied') return 'Beckon could not say what the files were when this was asked. Ask again.';
  const { context } = JSON.parse(reply.text) as {
    context: { files?: { path: string; sha256?: string | null }[] } | null;
  };
  const hashes = new Map((context?.files ?? []).map(({ path, sha256 }) => [path, sha256]));
  return checkFiles(
    seen.flatMap(({ path }) => {
      const mark = hashes.get(path);
      return mark === undefined ? [] : [{ path, mark }];
    }),
  );
}

function toRefusal(dialect: HookDialect, hook: JsonObject, reason: string): JsonObject {
  const decision = { behavior: 'deny', message: reason } as const;
  const { hook_event_name: event, tool_name: tool, tool_input: input } = hook;
  if (event === 'PreToolUse' && dialect.toPreToolReply !== undefined) return dialect.toPreToolReply(decision);
  return dialect.toReply(decision, { tool: tool as string, input: input as JsonObject });
}
