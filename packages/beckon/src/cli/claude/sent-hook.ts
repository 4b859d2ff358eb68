import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../protocol/json.ts';
import { toWho } from '../who.ts';
import type { HookOptions } from './hook-options.ts';

/** A hook on its way to Beckon. */
export interface SentHook {
  hook: JsonObject;
  /** The event that Claude Code reports. */
  event: string;
  /** The hook as Claude Code wrote it. */
  text: string;
  /** Its name: sent again under it, it is the same hook. */
  key: string;
}

/** How long a report may take that Claude Code waits for. It gives the last report of a session 1.5 s. */
export const REPORT_MS = 1000;

/** Gives a hook its name. */
export function toSentHook(hook: JsonObject, text: string): SentHook {
  const { hook_event_name: event } = hook;
  return { hook, event: typeof event === 'string' ? event : '', text, key: `hook_${randomUUID()}` };
}

/** Whether Claude Code waits for what people say to this hook. */
export function waitsForPeople({ event }: SentHook, { defer }: HookOptions): boolean {
  return event === 'PermissionRequest' || event === 'Elicitation' || (event === 'PreToolUse' && defer && isHeadless());
}

/** Whether there is no terminal. Only such a session can end and be resumed. */
export function isHeadless(): boolean {
  return process.env['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
}

/** What Beckon is told besides the hook. */
export function toHookQuery({ chatId, timeout, defer }: HookOptions, mayWait: boolean): string {
  // Claude Code starts this program when the event happens.
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
