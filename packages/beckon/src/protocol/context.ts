import * as z from 'zod/mini';
import { describeValue } from './describe-value.ts';
import { isObject } from './json.ts';
import { LIMITS } from './limits.ts';

/** Most characters of a name or a path, and of the texts in a summary. */
const NAME_CHARS = 300;
const PATH_CHARS = 4096;
const SUMMARY_CHARS = 500;
/** Most items of each list, and notes about what was left out. */
const MOST_CALLS = 50;
const MOST_SAID = 500;
const MOST_FILES = 50;
const MOST_NOTES = 20;

const Name = z.string().check(z.minLength(1), z.maxLength(NAME_CHARS));
const Path = z.string().check(z.minLength(1), z.maxLength(PATH_CHARS));
const Count = z.number().check(z.int(), z.gte(0));

/** What became of a tool call before this request. */
export const CALL_OUTCOMES = ['ok', 'failed', 'denied', 'running'] as const;

/** One tool call before this request. */
const ContextCall = z.object({
  tool: Name,
  /** What it was about, on a line: a command, a path. */
  about: z.optional(z.string()),
  outcome: z.optional(z.enum(CALL_OUTCOMES)),
  ms: z.optional(Count),
});

/** One entry of the conversation so far. */
const ContextSaid = z.object({
  by: z.enum(['person', 'agent', 'tool']),
  text: z.string(),
  at: z.optional(z.string()),
});

/** A file that the call will change, as it was when the call was asked. */
const ContextFile = z.object({
  path: Path,
  /** Where the path really leads, if it is a symbolic link or goes through one. */
  target: z.optional(Path),
  /** The hash of the whole file, in hex; `null`: there was no file. Without it nobody looked, and `why` says why. */
  sha256: z.optional(z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))),
  /** The number of lines of the whole file. */
  lines: z.optional(Count),
  /** What it held: pieces in order, each with the number of its first line. Without any, `why` says why. */
  before: z.optional(z.array(z.object({ line: z.number().check(z.int(), z.gte(1)), text: z.string() }))),
  /** Why its content is not here: "binary", "larger than 1 MB". */
  why: z.optional(z.string()),
});

const names = {
  project: Name,
  folder: Path,
  /** The folder of the project: that of git, else the folder itself. */
  root: Path,
  branch: Name,
  machine: Name,
  /** The program that asks: "Claude Code". */
  agent: Name,
  /** The session's, made from its first prompt. */
  title: Name,
};

const details = {
  /** What the person told the agent to do last. */
  prompt: z.string(),
  /** The agent's last message, in Markdown. */
  message: z.string(),
  /** The calls before this one, the oldest first. */
  calls: z.array(ContextCall),
  /** What was said so far, the oldest first. */
  conversation: z.array(ContextSaid),
  files: z.array(ContextFile),
};

const optionalNames = {
  project: z.optional(names.project),
  folder: z.optional(names.folder),
  root: z.optional(names.root),
  branch: z.optional(names.branch),
  machine: z.optional(names.machine),
  agent: z.optional(names.agent),
  title: z.optional(names.title),
};

/** What surrounds a request. All of it is the agent's claim. `notes` say what Beckon left out. */
export const Context = z.object({
  ...optionalNames,
  prompt: z.optional(details.prompt),
  message: z.optional(details.message),
  calls: z.optional(details.calls),
  conversation: z.optional(details.conversation),
  files: z.optional(details.files),
  notes: z.optional(z.array(z.string())),
});
export type Context = z.output<typeof Context>;
export type ContextCall = z.output<typeof ContextCall>;
export type ContextSaid = z.output<typeof ContextSaid>;
export type ContextFile = z.output<typeof ContextFile>;
/**
 * The context that an agent sends. Parts that do not fit are left out with a note; the request is asked all the same.
 */
export type ContextInput = Omit<Context, 'notes'>;

/** The same in an ask, where anything is accepted: bad context does not keep a request from being asked. */
export const GivenContext = z.custom<ContextInput>();

/** The part of a context that every copy of a request carries. `hasMore`: the rest can be read (`Beckon.context`). */
export const ContextSummary = z.object({
  ...optionalNames,
  /** The first part of the agent's last message. */
  message: z.optional(z.string()),
  /** `target`: where a path that is or goes through a symbolic link leads. `isSeen`: somebody looked at the file. */
  files: z.optional(
    z.array(
      z.object({
        path: Path,
        target: z.optional(Path),
        isNew: z.optional(z.literal(true)),
        isSeen: z.optional(z.literal(true)),
      }),
    ),
  ),
  hasMore: z.optional(z.literal(true)),
});
export type ContextSummary = z.output<typeof ContextSummary>;

const LISTS = { calls: MOST_CALLS, conversation: MOST_SAID, files: MOST_FILES } as const;
/** What is cut first when a context is too large. */
const CUT_ORDER = ['conversation', 'files', 'calls', 'message', 'prompt'] as const;

/**
 * Reads what an agent sent as context. It never throws: fields that do not fit are left out, what is too large is cut,
 * and `notes` say so.
 */
export function readContext(value: unknown): Context {
  if (!isObject(value)) return { notes: [`context: expected an object, got ${describeValue(value)}`] };
  const notes: string[] = [];
  const context: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const schema = findSchema(name);
    if (schema === undefined) notes.push(`context: left out the unknown field ${JSON.stringify(name.slice(0, 40))}`);
    else if (given !== undefined) {
      const kept = readField(name, schema, given, notes);
      if (kept !== undefined) context[name] = kept;
    }
  }
  const fitting = cutToSize(context as Context, notes);
  return notes.length === 0 ? fitting : { ...fitting, notes: notes.slice(0, MOST_NOTES) };
}

/** The part of a context that every copy of a request carries. */
export function toContextSummary(context: Context): ContextSummary {
  const { prompt, message, calls, conversation, files, notes, ...known } = context;
  const hasMore = [prompt, message, calls, conversation, files, notes].some((part) => part !== undefined);
  return {
    ...known,
    ...(message !== undefined && { message: cutText(message, SUMMARY_CHARS) }),
    ...(files !== undefined && {
      files: files.map(({ path, target, sha256 }) => ({
        path,
        ...(target !== undefined && { target }),
        ...(sha256 === null && { isNew: true as const }),
        ...(sha256 !== undefined && { isSeen: true as const }),
      })),
    }),
    ...(hasMore && { hasMore: true }),
  };
}

function findSchema(name: string): z.ZodMiniType | undefined {
  const schemas: Record<string, z.ZodMiniType> = { ...names, ...details };
  return Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}

function readField(name: string, schema: z.ZodMiniType, given: unknown, notes: string[]): unknown {
  const most = Object.hasOwn(LISTS, name) ? LISTS[name as keyof typeof LISTS] : undefined;
  const fits = most !== undefined && Array.isArray(given) ? given.slice(-most) : given;
  if (fits !== given && (given as unknown[]).length > (fits as unknown[]).length) {
    notes.push(`${name}: only the last ${most} of ${(given as unknown[]).length} are kept`);
  }
  const parsed = z.safeParse(schema, fits);
  if (parsed.success) return parsed.data;
  notes.push(`${name}: left out, got ${describeValue(given)}`);
  return undefined;
}

/** Cuts the largest parts until the context fits into its limit. */
function cutToSize(context: Context, notes: string[]): Context {
  let fitting = context;
  for (const part of CUT_ORDER) {
    const bytes = sizeOf(fitting);
    if (bytes <= LIMITS.contextBytes) return fitting;
    const over = bytes - LIMITS.contextBytes;
    const cut = cutPart(fitting, part, over);
    if (cut === fitting) continue;
    fitting = cut;
    notes.push(`${part}: cut, because the context was larger than ${LIMITS.contextBytes / 1024} KiB`);
  }
  return fitting;
}

function cutPart(context: Context, part: (typeof CUT_ORDER)[number], over: number): Context {
  switch (part) {
    case 'conversation':
      return context.conversation === undefined
        ? context
        : { ...context, conversation: dropFirst(context.conversation, over) };
    case 'calls':
      return context.calls === undefined ? context : { ...context, calls: dropFirst(context.calls, over) };
    case 'files':
      return context.files === undefined ? context : { ...context, files: dropContents(context.files, over) };
    case 'message':
    case 'prompt':
      return cutTextPart(context, part, over);
  }
}

function cutTextPart(context: Context, part: 'message' | 'prompt', over: number): Context {
  const text = context[part];
  if (text === undefined) return context;
  // A character takes at most six bytes of JSON, so this many fit for certain.
  return { ...context, [part]: cutText(text, Math.max(SUMMARY_CHARS, Math.floor((sizeOf(text) - over) / 6))) };
}

/** Drops as many of the oldest items as take at least `over` bytes. */
function dropFirst<Item>(items: readonly Item[], over: number): Item[] {
  let dropped = 0;
  let index = 0;
  while (index < items.length && dropped < over) {
    dropped += sizeOf(items[index]) + 1;
    index += 1;
  }
  return items.slice(index);
}

/** Drops the contents of the largest files. Their paths and hashes stay: they guard what is allowed. */
function dropContents(files: readonly ContextFile[], over: number): ContextFile[] {
  const largest = files
    .map((file) => ({ file, size: sizeOf(file.before) }))
    .filter(({ size }) => size > 0)
    .toSorted((one, other) => other.size - one.size);
  const dropped = new Set<ContextFile>();
  let saved = 0;
  for (const { file, size } of largest) {
    if (saved >= over) break;
    dropped.add(file);
    saved += size;
  }
  return files.map((file) => {
    if (!dropped.has(file)) return file;
    const { before: _, ...rest } = file;
    return { ...rest, why: 'too large to send' };
  });
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : new TextEncoder().encode(JSON.stringify(value)).length;
}

// Not in the middle of a character that takes two UTF-16 units.
function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, chars)) ? chars - 1 : chars;
  return `${text.slice(0, end)}…`;
}
