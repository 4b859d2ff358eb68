import type { CALL_OUTCOMES } from '../protocol/context.ts';
import { type Decision, toDecision } from '../protocol/decision.ts';
import type { ConversationEntry } from '../protocol/history.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { isObject, type Json, type JsonObject } from '../protocol/json.ts';
import { maskSecrets } from './mask-secrets.ts';

/** Most characters of one text, and of what a failed call said. */
const TEXT_CHARS = 4000;
const ERROR_CHARS = 500;
/** How much of a text is looked at: masking makes it shorter. */
const READ_CHARS = 3 * TEXT_CHARS;

/** The fields that say most about a tool call, the most telling first. */
const TELLING = ['command', 'file_path', 'notebook_path', 'path', 'url', 'query', 'pattern', 'description', 'prompt'];

/** The hooks that a conversation is made of. */
export const CONVERSATION_HOOKS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'Stop',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionDenied',
] as const;

/** What came of a call, by the hook that says so; `undefined`: the call begins. */
const OUTCOMES: Readonly<Record<string, (typeof CALL_OUTCOMES)[number] | undefined>> = {
  PreToolUse: undefined,
  PostToolUse: 'ok',
  PostToolUseFailure: 'failed',
  PermissionDenied: 'denied',
};

/** One thing that happened in a session. `callId` is present for hooks of a tool call that has an id. */
export interface Moment extends ConversationEntry {
  callId?: string;
}

/** A hook, as it was kept. */
interface KeptHook {
  seq: number;
  at: string;
  eventType: string;
  /** Its JSON object. */
  data: string;
}

/** What a hook adds to a conversation; `null`: nothing. What it says is the agent's claim, and may be anything. */
export function fromHook({ seq, at, eventType, data }: KeptHook): Moment | null {
  const hook = toObject(JSON.parse(data) as Json);
  const text = (name: string): string => toText(hook[name]);
  switch (eventType) {
    case 'SessionStart':
      return { seq, at, type: 'note', text: toNote('The session started', hook['source']) };
    case 'SessionEnd':
      return { seq, at, type: 'note', text: toNote('The session ended', hook['reason']) };
    case 'UserPromptSubmit':
      return text('prompt') === '' ? null : { seq, at, type: 'person', ...toShown(text('prompt')) };
    case 'Stop':
      return text('last_assistant_message') === ''
        ? null
        : { seq, at, type: 'agent', ...toShown(text('last_assistant_message')) };
    default:
      return Object.hasOwn(OUTCOMES, eventType) ? toCall({ seq, at, eventType }, hook) : null;
  }
}

/** What a request adds to a conversation. `headline` says what is asked, on a line. */
export function fromRequest(seq: number, interaction: Interaction, headline: string): Moment {
  const outcome: Decision = toDecision(interaction);
  const { createdAt: at, id: interactionId } = interaction;
  return { seq, at, type: 'request', ...toShown(headline), outcome, interactionId };
}

/**
 * The entries of a page in order. The hooks before and after a call become one entry, where the call began. `near` are
 * hooks outside of the page, which may belong to calls inside it.
 */
export function toEntries(page: readonly Moment[], near: readonly Moment[]): ConversationEntry[] {
  const begun = new Map<string, Moment>();
  const ended = new Map<string, Moment>();
  for (const moment of [...page, ...near]) {
    if (moment.callId === undefined) continue;
    (moment.outcome === undefined ? begun : ended).set(moment.callId, moment);
  }
  return page.flatMap(({ callId, ...moment }) => {
    if (callId === undefined) return [moment];
    if (moment.outcome !== undefined) return begun.has(callId) ? [] : [moment];
    const end = ended.get(callId);
    if (end === undefined) return [moment];
    const { outcome, ms = toMs(moment.at, end.at), error } = end;
    return [{ ...moment, ...(outcome && { outcome }), ms, ...(error !== undefined && { error }) }];
  });
}

function toCall({ seq, at, eventType }: Omit<KeptHook, 'data'>, hook: JsonObject): Moment {
  const outcome = OUTCOMES[eventType];
  const { tool_use_id: callId, duration_ms: ms } = hook;
  const error = toText(hook['error']);
  return {
    seq,
    at,
    type: 'call',
    tool: toText(hook['tool_name']).slice(0, ERROR_CHARS),
    ...toShown(describeInput(toObject(hook['tool_input']))),
    ...(outcome && { outcome }),
    ...(typeof ms === 'number' && ms >= 0 && { ms }),
    ...(error !== '' && { error: cut(maskSecrets(error.slice(0, READ_CHARS)), ERROR_CHARS).text }),
    ...(typeof callId === 'string' && { callId }),
  };
}

/** What a call is about: the field that says most, or all of them. */
function describeInput(input: JsonObject): string {
  const telling = TELLING.map((field) => toText(input[field])).find((text) => text !== '');
  return telling ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input));
}

function toNote(what: string, why: Json | undefined): string {
  // Names of Claude Code, such as "resume"; anything longer is not one.
  return typeof why === 'string' && /^[\w-]{1,40}$/.test(why) ? `${what} (${why})` : what;
}

function toShown(text: string): { text: string; cut?: true } {
  const shown = cut(maskSecrets(text.slice(0, READ_CHARS)), TEXT_CHARS);
  return { text: shown.text, ...((shown.isCut || text.length > READ_CHARS) && { cut: true }) };
}

// Not in the middle of a character that takes two UTF-16 units.
function cut(text: string, chars: number): { text: string; isCut: boolean } {
  if (text.length <= chars) return { text, isCut: false };
  return { text: text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, ''), isCut: true };
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function toMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}
