import type { ContextCall, ContextSaid } from '../protocol/context.ts';
import { describeCall } from './describe-call.ts';
import { readLines, type TranscriptLine, toBlocks, toPrompt, toText } from './transcript-lines.ts';

/** What a transcript says, with texts as long as they are there. The oldest comes first. */
export interface Transcript {
  /** The session's name, if the person gave it one, or its first prompt. */
  title?: string;
  prompt?: string;
  message?: string;
  calls: ContextCall[];
  conversation: ContextSaid[];
}

/** A call of a tool. Hooks do not always have its id. */
export interface ToolCall {
  tool: string;
  input: unknown;
  id?: unknown;
}

interface Call {
  id: unknown;
  call: ContextCall;
  said: ContextSaid;
  /** When it began to run, if that is known. */
  since: number;
}

/**
 * Reads a transcript of Claude Code. `current` is the call that is asked about: the transcript has it already, but it
 * is not one of the calls before. `isInside`: the transcript is that of an agent inside the session, whose task came
 * from another agent. Throws if the file cannot be read.
 */
export function readTranscript(path: string, current?: ToolCall, isInside = false): Transcript {
  const { head, tail } = readLines(path);
  const reader = new TranscriptReader(isInside);
  for (const line of tail) reader.read(line);
  const { calls, conversation, prompt, message } = reader.finish(current);
  const title = findTitle(head, tail);
  return {
    ...(title !== undefined && { title }),
    ...(prompt !== undefined && { prompt }),
    ...(message !== undefined && { message }),
    calls,
    conversation,
  };
}

class TranscriptReader {
  readonly #isInside: boolean;
  #conversation: ContextSaid[] = [];
  #calls: Call[] = [];
  #prompt: string | undefined;
  #message: string | undefined;

  constructor(isInside: boolean) {
    this.#isInside = isInside;
  }

  read(line: TranscriptLine): void {
    if (line.isSidechain === true && !this.#isInside) return;
    const { type, attachment, lastPrompt } = line;
    if (type === 'attachment') this.#allow(attachment?.toolUseID, line);
    // The prompt itself may be too far from the end.
    else if (type === 'last-prompt' && typeof lastPrompt === 'string') this.#prompt ??= lastPrompt;
    else if (type === 'user') this.#hear(line);
    else if (type === 'assistant') this.#listen(line);
  }

  finish(current: ToolCall | undefined): Pick<Transcript, 'calls' | 'conversation' | 'prompt' | 'message'> {
    const asked = current === undefined ? undefined : this.#find(current);
    const calls = this.#calls
      .filter((call) => call !== asked)
      .map(({ call }) => ({ outcome: 'running' as const, ...call }));
    const conversation = this.#conversation.filter((said) => said !== asked?.said);
    return {
      calls,
      conversation,
      ...(this.#prompt !== undefined && { prompt: this.#prompt }),
      ...(this.#message !== undefined && { message: this.#message }),
    };
  }

  #hear(line: TranscriptLine): void {
    const prompt = toPrompt(line);
    if (prompt !== null) {
      this.#prompt = prompt;
      this.#say(this.#isInside ? 'agent' : 'person', prompt, line);
    }
    for (const block of toBlocks(line.message?.content)) {
      if (block['type'] === 'tool_result') this.#end(block, line);
    }
  }

  #listen(line: TranscriptLine): void {
    for (const { type, text, name, input, id } of toBlocks(line.message?.content)) {
      if (type === 'text' && typeof text === 'string' && text.trim() !== '') {
        this.#message = text;
        this.#say('agent', text, line);
      } else if (type === 'tool_use' && typeof name === 'string' && name !== '') {
        const about = describeCall(input);
        const said = this.#say('tool', about === '' ? name : `${name}: ${about}`, line);
        const call = { tool: name, ...(about !== '' && { about }) };
        this.#calls.push({ id, call, said, since: toTime(line) });
      }
    }
  }

  #end({ tool_use_id: id, content, is_error: isError }: Record<string, unknown>, line: TranscriptLine): void {
    const ended = this.#calls.findLast((call) => call.id === id);
    if (ended === undefined) return;
    const isDenied = line.toolDenialKind !== undefined;
    ended.call.outcome = isDenied ? 'denied' : isError === true ? 'failed' : 'ok';
    const ms = isDenied ? Number.NaN : toDuration(line, ended.since);
    if (ms >= 0) ended.call.ms = ms;
    const result = toText(content);
    if (result !== '') ended.said.text += `\n${result}`;
  }

  /** From when a call was allowed it runs; before, it waited for a person. */
  #allow(id: unknown, line: TranscriptLine): void {
    const allowed = this.#calls.findLast((call) => call.id === id);
    if (allowed !== undefined) allowed.since = toTime(line);
  }

  #find({ tool, input, id }: ToolCall): Call | undefined {
    const about = describeCall(input);
    return this.#calls.findLast((one) =>
      typeof id === 'string'
        ? one.id === id
        : one.call.outcome === undefined && one.call.tool === tool && (one.call.about ?? '') === about,
    );
  }

  #say(by: ContextSaid['by'], text: string, { timestamp }: TranscriptLine): ContextSaid {
    const said: ContextSaid = { by, text, ...(typeof timestamp === 'string' && { at: timestamp }) };
    this.#conversation.push(said);
    return said;
  }
}

/** How long a call ran; not a number if the time includes a person's in the terminal. */
function toDuration(line: TranscriptLine, since: number): number {
  const { toolUseResult: result, permissionDecision: decision } = line;
  const own =
    typeof result === 'object' && result !== null ? (result as { durationMs?: unknown }).durationMs : undefined;
  if (typeof own === 'number') return Math.round(own);
  return decision?.source === 'config' || decision?.source === 'hook' ? toTime(line) - since : Number.NaN;
}

function findTitle(head: readonly TranscriptLine[], tail: readonly TranscriptLine[]): string | undefined {
  const named = tail.findLast(({ type }) => type === 'custom-title')?.customTitle;
  if (typeof named === 'string' && named.trim() !== '') return named;
  for (const line of head) {
    const prompt = line.isSidechain === true ? null : toPrompt(line);
    if (prompt !== null) return prompt;
  }
  return undefined;
}

function toTime({ timestamp }: TranscriptLine): number {
  return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
}
