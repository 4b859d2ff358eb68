import { type FoundCommands, findCommands } from '../calls/find-commands.ts';
import { resolvePath } from '../calls/paths.ts';
import { plainCommands } from '../calls/plain-commands.ts';
import { type Call, readCall } from '../calls/read-call.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import { isObject, type Json, type JsonObject } from '../protocol/json.ts';
import { readPlainHost } from './match-domain.ts';
import type { Place } from './match-path.ts';

/** The parts of an approval that rules look at. */
export type Approval = Pick<InteractionOf<'approval'>, 'chatId' | 'sessionId' | 'askedBy' | 'context' | 'request'>;

/** A file of a call: where its path leads, or why nobody can tell. */
type AskedFile = { paths: readonly string[] } | { why: string };

/** An approval as rules see it. Each part is read once, when the first rule needs it. */
export interface AskedCall {
  approval: Approval;
  call: Call;
  input: JsonObject;
  place: Place;
  /** Its commands, if the text is plain. */
  plain(): readonly (readonly string[])[] | undefined;
  /** Each text that a shell may get, and every command that was found in it. */
  found(): readonly { source: string; found: FoundCommands }[];
  files(): readonly AskedFile[];
  host(): { host: string } | { why: string } | undefined;
  /** Every text in the input, for whoever asks or denies. */
  texts(): readonly string[];
}

/** Most scripts that are read one by one; the rest is read as one. */
const MOST_SCRIPTS = 100;
/** Words about a call. They do nothing. */
const WORDS_ABOUT = ['description', 'prompt', 'timeout', 'content', 'old_string', 'new_string'];

/** Prepares an approval for rules. It never throws. */
export function toAskedCall(approval: Approval): AskedCall {
  const input = isObject(approval.request.input) ? approval.request.input : {};
  const call = readCall(approval);
  const { context } = approval;
  const place: Place = { root: context?.root, folder: context?.folder };
  return {
    approval,
    call,
    input,
    place,
    plain: once(() => (call.command === undefined ? undefined : plainCommands(call.command.text))),
    found: once(() => listScripts(call, input).map((source) => ({ source, found: findCommands(source) }))),
    files: once(() => call.files.map(({ text }) => toFile(text, approval, place))),
    host: once(() => (call.url === undefined ? undefined : readPlainHost(call.url.text))),
    texts: once(() => listTexts(input)),
  };
}

/** The texts that a shell may get. A list of words is one command, and each of its words may be a script. */
function listScripts(call: Call, input: JsonObject): string[] {
  const values = call.family === 'command' ? withoutWords(input) : [input['command'], input['cmd']];
  const scripts = listTexts(values as Json[]);
  const rest = scripts.slice(MOST_SCRIPTS);
  return rest.length === 0 ? scripts : [...scripts.slice(0, MOST_SCRIPTS), rest.join('\n')];
}

function withoutWords(input: JsonObject): Json[] {
  return Object.entries(input).flatMap(([name, value]) => (WORDS_ABOUT.includes(name) ? [] : [value]));
}

function listTexts(value: Json | undefined, texts: string[] = []): string[] {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) {
    if (value.length > 1 && value.every((item) => typeof item === 'string')) texts.push(value.join(' '));
    for (const item of value) listTexts(item, texts);
  } else if (isObject(value)) for (const item of Object.values(value)) listTexts(item, texts);
  return texts;
}

/** Both ends of a path: what is written and where it leads. Nobody allows a file that nobody looked at. */
function toFile(text: string, { context }: Approval, { root, folder }: Place): AskedFile {
  const path = resolvePath(text, folder ?? root);
  if (path === undefined) return { why: 'nobody can tell which file it is' };
  const seen = context?.files?.filter((file) => resolvePath(file.path, folder ?? root) === path) ?? [];
  if (seen.length === 0 || !seen.every(({ isSeen }) => isSeen === true)) {
    return { why: 'nobody looked at the file, which may be a link to another one' };
  }
  const targets = seen.flatMap(({ target }) => target ?? []).map((target) => resolvePath(target, folder ?? root));
  return targets.includes(undefined)
    ? { why: 'nobody can tell where it leads' }
    : { paths: [path, ...(targets as string[])] };
}

function once<Value>(read: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => (kept ??= { value: read() }).value;
}
