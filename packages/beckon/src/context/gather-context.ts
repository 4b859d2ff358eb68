import { isAbsolute, join } from 'node:path';
import { type ContextLevel, limitContext } from '../core/context-level.ts';
import { maskContext, maskSecrets } from '../core/mask-secrets.ts';
import type { ContextInput, ContextSaid } from '../protocol/context.ts';
import { LIMITS } from '../protocol/limits.ts';
import { cut, toLine } from './describe-call.ts';
import { findPlace } from './find-place.ts';
import { type GatheredFiles, gatherFiles, type SeenFile } from './gather-files.ts';
import { readTranscript, type ToolCall, type Transcript } from './read-transcript.ts';

/** What a hook is sent with, and what is looked at again before its "allow" counts. */
export interface GatheredContext {
  /** Masked. Missing if the level is `off`. */
  context?: ContextInput;
  seen: SeenFile[];
}

/** How to gather. */
interface GatherOptions {
  level: ContextLevel;
  /** What people call the agent. */
  agent: string;
  /** What people told it; `transcript` if the hook names one like Claude Code's. Default: nothing is known. */
  told?: 'transcript' | Pick<Transcript, 'title' | 'prompt'>;
}

const NOTHING_ELSE = { calls: [], conversation: [] };
const TITLE_CHARS = 100;
const TEXT_CHARS = 8000;
/** Most characters of each entry of the conversation. What tools print is rarely worth more. */
const SAID_CHARS = { person: 4000, agent: 4000, tool: 1000 } as const;
const MOST_CALLS = 20;
const MOST_FILES = 50;
const MOST_SAID = 400;
/** The limit, less what Beckon may add. */
const MOST_BYTES = LIMITS.contextBytes - 1024;
/** Most characters of prompt and message beside large files. */
const SHORT_CHARS = 1000;

/**
 * Gathers what surrounds a hook in the common form from the files of this machine. It starts no program, reads a
 * bounded number of bytes, and never throws or blocks: what cannot be read is missing.
 */
export function gatherContext(
  hook: Readonly<Record<string, unknown>>,
  { level, agent, told = {} }: GatherOptions,
): GatheredContext {
  const { cwd, transcript_path: path } = hook;
  const folder = typeof cwd === 'string' && isAbsolute(cwd) ? cwd : process.cwd();
  const call = toCall(hook);
  const none: GatheredFiles = { files: [], seen: [] };
  const { files, seen } = call === undefined ? none : (attempt(() => gatherFiles({ ...call, folder })) ?? none);
  if (level === 'off') return { seen };
  const transcript = told === 'transcript' ? readNamed(path, hook['agent_id'], call) : { ...told, ...NOTHING_ELSE };
  const known: ContextInput = {
    ...attempt(() => findPlace(folder)),
    agent,
    ...(transcript !== undefined && toTexts(transcript)),
    ...(files.length > 0 && { files: files.slice(0, MOST_FILES) }),
  };
  const masked = maskContext(known);
  if (level === 'summary') return { context: limitContext(masked, level), seen };
  const context = sizeOf(masked) <= MOST_BYTES ? masked : shorten(masked);
  const conversation = takeLast(transcript?.conversation ?? [], MOST_BYTES - sizeOf(context));
  return { context: { ...context, ...(conversation.length > 0 && { conversation }) }, seen };
}

function readNamed(path: unknown, agentId: unknown, call: ToolCall | undefined): Transcript | undefined {
  return typeof path === 'string' ? readTranscripts(path, agentId, call) : undefined;
}

/** An agent inside the session has a transcript of its own. Title and prompt are those of the session. */
function readTranscripts(path: string, agentId: unknown, call: ToolCall | undefined): Transcript | undefined {
  const session = attempt(() => readTranscript(path, call));
  if (typeof agentId !== 'string' || !/^[\w-]+$/.test(agentId)) return session;
  const own = join(path.replace(/\.jsonl$/, ''), 'subagents', `agent-${agentId}.jsonl`);
  const inside = attempt(() => readTranscript(own, call, true));
  if (inside === undefined) return session;
  const { title, prompt } = session ?? {};
  const { message, calls, conversation } = inside;
  return {
    ...(title !== undefined && { title }),
    ...(prompt !== undefined && { prompt }),
    ...(message !== undefined && { message }),
    calls,
    conversation,
  };
}

function toCall(hook: Readonly<Record<string, unknown>>): (ToolCall & { input: Record<string, unknown> }) | undefined {
  const { tool_name: tool, tool_input: input, tool_use_id: id } = hook;
  if (typeof tool !== 'string' || typeof input !== 'object' || input === null) return undefined;
  return { tool, input: input as Record<string, unknown>, ...(id !== undefined && { id }) };
}

function toTexts({ title, prompt, message, calls }: Transcript): ContextInput {
  const line = title === undefined ? '' : toLine(maskCut(title, TITLE_CHARS * 4), TITLE_CHARS);
  return {
    ...(line !== '' && { title: line }),
    ...(prompt !== undefined && { prompt: maskCut(prompt, TEXT_CHARS) }),
    ...(message !== undefined && { message: maskCut(message, TEXT_CHARS) }),
    ...(calls.length > 0 && { calls: calls.slice(-MOST_CALLS) }),
  };
}

/** Leaves the room to the files: they are what the person decides about. */
function shorten({ prompt, message, ...rest }: ContextInput): ContextInput {
  return {
    ...rest,
    ...(prompt !== undefined && { prompt: cut(prompt, SHORT_CHARS) }),
    ...(message !== undefined && { message: cut(message, SHORT_CHARS) }),
  };
}

/** As many of the last entries as fit into so many bytes. */
function takeLast(conversation: readonly ContextSaid[], bytes: number): ContextSaid[] {
  const taken: ContextSaid[] = [];
  let left = bytes;
  for (const said of conversation.slice(-MOST_SAID).toReversed()) {
    const entry = { ...said, text: maskCut(said.text, SAID_CHARS[said.by]) };
    left -= sizeOf(entry) + 1;
    if (left < 0) break;
    taken.push(entry);
  }
  return taken.toReversed();
}

// Masked before it is cut: half a secret looks like none.
function maskCut(text: string, chars: number): string {
  return cut(maskSecrets(text.slice(0, chars * 2)), chars);
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    // A file that is missing or broken changes nothing: people decide with less around.
    return undefined;
  }
}
