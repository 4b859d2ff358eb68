import { withFile } from './read-bounded.ts';

/** A line of a transcript of Claude Code, as far as it matters here. Every field may be missing or of another type. */
export interface TranscriptLine {
  type?: unknown;
  timestamp?: unknown;
  message?: { content?: unknown } | null;
  /** It is Claude Code that speaks, in the name of the person. */
  isMeta?: unknown;
  isCompactSummary?: unknown;
  /** It belongs to an agent inside this one. */
  isSidechain?: unknown;
  toolDenialKind?: unknown;
  toolUseResult?: unknown;
  permissionDecision?: { source?: unknown } | null;
  attachment?: { type?: unknown; toolUseID?: unknown } | null;
  lastPrompt?: unknown;
  customTitle?: unknown;
}

/** How much is read at the beginning, which has the first prompt, and at the end. */
const HEAD_BYTES = 131_072;
const TAIL_BYTES = 1_048_576;

/** The other lines are long, and say nothing about the conversation. */
const WANTED = /"type":"(?:user|assistant|last-prompt|custom-title|hook_permission_decision)"/;

/**
 * The lines at both ends of a transcript, never all of a long one. Lines that are cut off or no JSON are skipped. Empty
 * if there is no such file.
 */
export function readLines(path: string): { head: TranscriptLine[]; tail: TranscriptLine[] } {
  const ends = withFile(path, ({ stat, read }) => {
    const size = Number(stat.size);
    const start = Math.max(0, size - TAIL_BYTES);
    return {
      head: start === 0 ? '' : read(0, HEAD_BYTES).toString(),
      tail: read(start, size - start).toString(),
      start,
    };
  });
  if (ends === null) return { head: [], tail: [] };
  const { head, tail, start } = ends;
  const lines = parseLines(start === 0 ? tail : tail.slice(tail.indexOf('\n') + 1));
  return { head: start === 0 ? lines : parseLines(head), tail: lines };
}

/** The words of a person, or of the agent that sent this one, in a line; `null` if it has none. */
export function toPrompt({ type, message, isMeta, isCompactSummary }: TranscriptLine): string | null {
  if (type !== 'user' || isMeta === true || isCompactSummary === true) return null;
  const text = toText(message?.content).trim();
  const command = /<command-name>([^<]*)<\/command-name>/.exec(text)?.[1];
  if (command !== undefined) {
    const args = /<command-args>([^<]*)<\/command-args>/.exec(text)?.[1] ?? '';
    return `${command} ${args}`.trim();
  }
  // What a command of the terminal printed, and the sign of an Esc, are not the person's words.
  return text === '' || /^(?:<(?:local-command|bash-|system-reminder)|\[Request interrupted)/.test(text) ? null : text;
}

/** The text of a message or of a tool's result: its text parts. */
export function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  return toBlocks(content)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** The parts of a message. */
export function toBlocks(content: unknown): Record<string, unknown>[] {
  return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : [];
}

function parseLines(text: string): TranscriptLine[] {
  return text.split('\n').flatMap((line) => {
    if (!WANTED.test(line)) return [];
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value as TranscriptLine] : [];
    } catch {
      return [];
    }
  });
}
