import { randomUUID } from 'node:crypto';
import type { HookDialect } from '../../adapters/hooks/hook-dialect.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { toWho } from '../who.ts';
import type { HookOptions } from './hook-options.ts';

/** A hook on its way to Beckon. */
export interface SentHook {
  dialect: HookDialect;
  /** In the common form. */
  hook: JsonObject;
  /** The event that the client reports. */
  event: string;
  /** The session that it is about; `undefined` if it does not say. */
  sessionId: string | undefined;
  /** The hook as the client wrote it, or in the common form if that does not name its event. */
  text: string;
  /** Its name: sent again under it, it is the same hook. */
  key: string;
}

/** How long a report may take that the client waits for. Claude Code gives the last report of a session 1.5 s. */
export const REPORT_MS = 1000;

/** Gives a hook its name. */
export function toSentHook(dialect: HookDialect, payload: JsonObject, written: string, named?: string): SentHook {
  const hook = dialect.toHook(payload, named);
  const { hook_event_name: event, session_id: sessionId } = hook;
  const text = event === undefined || payload['hook_event_name'] === event ? written : JSON.stringify(hook);
  return {
    dialect,
    hook,
    event: typeof event === 'string' ? event : '',
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    text,
    key: `hook_${randomUUID()}`,
  };
}

/** The path of Beckon that takes the hook. */
export function toHookPath({ path }: HookDialect, query: string, rest = ''): string {
  return `/hooks/${path}${rest}?${query}`;
}

/** Whether the client waits for what people say to this hook. */
export function waitsForPeople({ dialect, event }: SentHook, { defer }: HookOptions): boolean {
  if (event === 'PermissionRequest') return true;
  if (event === 'Elicitation') return dialect.toFormReply !== undefined;
  return event === 'PreToolUse' && dialect.toPreToolReply !== undefined && defer && isHeadless();
}

/** Whether Claude Code has no terminal. Only such a session can end and be resumed. */
export function isHeadless(): boolean {
  return process.env['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
}

/** What Beckon is told besides the hook. */
export function toHookQuery({ chatId, timeout, defer }: HookOptions, mayWait: boolean): string {
  // The client starts this program when the event happens.
  const query = new URLSearchParams({
    user: toWho(),
    ageMs: `${Math.round(performance.now())}`,
    happenedAt: `${Math.round(performance.timeOrigin)}`,
  });
  if (chatId !== undefined) query.set('chatId', chatId);
  if (timeout !== undefined) query.set('timeout', timeout);
  if (defer && mayWait) query.set('defer', 'true');
  return query.toString();
}
