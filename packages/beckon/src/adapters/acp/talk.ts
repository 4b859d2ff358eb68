import * as z from 'zod/mini';
import { type Agent, toAgent } from './agents.ts';
import {
  type Message,
  ownObject,
  ownString,
  PromptParams,
  type RequestId,
  ToolCall,
  textOf,
  UpdateParams,
} from './messages.ts';

/** Most tool calls of a session, sessions, and characters of a message that are remembered. */
const MOST_CALLS = 200;
const MOST_SESSIONS = 100;
const MOST_CHARS = 20_000;

/** What is known about one session of an agent. */
export interface Session {
  cwd?: string | undefined;
  /** What the person told the agent last. */
  prompt?: string | undefined;
  /** The agent's last message, as far as it has come. */
  message?: string | undefined;
  /** The agent's tool calls, by their ids: a permission does not repeat what was said about its call. */
  calls: Map<string, ToolCall>;
}

/** What was said between an agent and its client, as far as people need it to decide. */
export class Talk {
  agent: Agent = toAgent(undefined, undefined);
  readonly #sessions = new Map<string, Session>();
  /** The folders of sessions whose ids are not known yet, and `initialize`, by the client's request. */
  readonly #waiting = new Map<string, { cwd: string | undefined }>();
  /** Whether the last update of a session was a part of a message. */
  readonly #talking = new Set<string>();

  session(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session: Session = { calls: new Map() };
    this.#sessions.set(id, session);
    dropOldest(this.#sessions, MOST_SESSIONS);
    return session;
  }

  /** Takes note of a message of the client. */
  hearClient({ id, method, params }: Message): void {
    switch (method) {
      case 'initialize':
      case 'session/new':
      case 'session/fork':
        if (id === undefined) return;
        this.#waiting.set(toKey(id), { cwd: ownString(params, 'cwd') });
        dropOldest(this.#waiting, MOST_SESSIONS);
        return;
      case 'session/load':
      case 'session/resume': {
        const sessionId = ownString(params, 'sessionId');
        if (sessionId !== undefined) this.session(sessionId).cwd = ownString(params, 'cwd');
        return;
      }
      case 'session/prompt':
        this.#hearPrompt(params);
        return;
      default:
    }
  }

  /** Takes note of a message of the agent. */
  hearAgent({ id, method, params, result }: Message): void {
    if (method === 'session/update') this.#hearUpdate(params);
    if (method !== undefined || id === undefined) return;
    const waiting = this.#waiting.get(toKey(id));
    if (waiting === undefined) return;
    this.#waiting.delete(toKey(id));
    const info = ownObject(result, 'agentInfo');
    if (info !== undefined) this.agent = toAgent(ownString(info, 'name'), ownString(info, 'title'));
    const sessionId = ownString(result, 'sessionId');
    if (sessionId !== undefined) this.session(sessionId).cwd = waiting.cwd;
  }

  #hearPrompt(params: unknown): void {
    const parsed = z.safeParse(PromptParams, params);
    if (!parsed.success) return;
    const session = this.session(parsed.data.sessionId);
    const texts = parsed.data.prompt.map(textOf).filter((text) => text !== '');
    session.prompt = cut(texts.join('\n'));
    session.message = undefined;
  }

  #hearUpdate(params: unknown): void {
    const parsed = z.safeParse(UpdateParams, params);
    if (!parsed.success) return;
    const { sessionId, update } = parsed.data;
    const session = this.session(sessionId);
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        const before = this.#talking.has(sessionId) ? (session.message ?? '') : '';
        session.message = cut(before + textOf(update.content));
        this.#talking.add(sessionId);
        return;
      }
      case 'tool_call':
      case 'tool_call_update':
        rememberCall(session, update);
        this.#talking.delete(sessionId);
        return;
      case 'user_message_chunk':
        this.#talking.delete(sessionId);
        return;
      default:
    }
  }
}

/** The name of a request in a map: `1` and `"1"` are two ids. */
export function toKey(id: RequestId): string {
  return JSON.stringify(id);
}

/** What is known about a call, with what is new about it. */
export function mergeCalls(known: ToolCall | undefined, news: ToolCall): ToolCall {
  const given = Object.entries(news).filter(([, value]) => value !== undefined && !isEmpty(value));
  return { ...news, ...known, ...Object.fromEntries(given) };
}

function rememberCall({ calls }: Session, update: unknown): void {
  const parsed = z.safeParse(ToolCall, update);
  if (!parsed.success) return;
  const { toolCallId, status } = parsed.data;
  const merged = mergeCalls(calls.get(toolCallId), parsed.data);
  calls.delete(toolCallId);
  if (status === 'completed' || status === 'failed') return;
  calls.set(toolCallId, merged);
  dropOldest(calls, MOST_CALLS);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

// The last part of a message says what the agent is about to do.
function cut(text: string): string {
  return text.length <= MOST_CHARS ? text : `…${text.slice(-MOST_CHARS)}`;
}
