import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toHome, toHomeFile } from '../../daemon/home.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import { toWho } from '../who.ts';
import { findAddress } from './hook-address.ts';
import { type PostReply, post } from './hook-post.ts';

/** The options of the hook command. */
interface HookOptions {
  chatId?: string;
  timeout?: string;
  defer: boolean;
}

/** How long a report may take. Claude Code gives the last report of a session 1.5 s. */
const REPORT_MS = 1000;

/**
 * Hands a hook of Claude Code to Beckon and prints the reply. It never fails and prints nothing else: if anything goes
 * wrong, Claude Code goes on as without Beckon. It loads as little as possible, because Claude Code may wait for it.
 */
export async function runHook(args: readonly string[]): Promise<void> {
  try {
    const text = readFileSync(0, 'utf8');
    const hook = parseJson(text, (reason) => `The hook is not JSON: ${reason}`) as JsonObject;
    const reply = await handOver({ hook, text, key: `hook_${randomUUID()}` }, parseOptions(args));
    if (reply !== '' && reply !== '{}') process.stdout.write(`${reply}\n`);
  } catch (error) {
    if (process.env['BECKON_DEBUG'] !== undefined) process.stderr.write(`beckon: ${String(error)}\n`);
  }
}

interface Sent {
  hook: JsonObject;
  text: string;
  key: string;
}

async function handOver(sent: Sent, options: HookOptions): Promise<string> {
  const reply = waitsForPeople(sent.hook, options) ? await ask(sent, options) : await report(sent, options);
  if (reply.result === 'replied') return reply.text;
  await spool(sent);
  return '';
}

// Loads what gathers the context only when people are asked.
async function ask({ hook, text, key }: Sent, options: HookOptions): Promise<PostReply> {
  const { askPeople } = await import('./hook-ask.ts');
  const query = toQuery(options, true);
  return askPeople({ hook, text, query }, (path, body, limitMs) => send(key, path, body, limitMs));
}

function report({ text, key }: Sent, options: HookOptions): Promise<PostReply> {
  return send(key, `/hooks/claude?${toQuery(options, false)}`, text, REPORT_MS);
}

// Loads the spool only when it is needed.
async function spool({ hook, text, key }: Sent): Promise<void> {
  const { spoolHook } = await import('../../bridge/spool.ts');
  const { session_id: sessionId } = hook;
  if (typeof sessionId !== 'string') return;
  spoolHook(toHomeFile(toHome(process.env), 'spool'), { id: key, sessionId, hook, text });
}

function send(key: string, path: string, text?: string, limitMs?: number): Promise<PostReply> {
  // Looked up each time: after a restart Beckon may be at another address.
  const { url: base, token } = findAddress() ?? {};
  const url = base === undefined ? null : URL.parse(path, base);
  if (url === null || token === undefined) return Promise.resolve({ result: 'refused' });
  return post({ url, token, key, limitMs, ...(text !== undefined && { text }) });
}

function waitsForPeople({ hook_event_name: event }: JsonObject, { defer }: HookOptions): boolean {
  return event === 'PermissionRequest' || event === 'Elicitation' || (event === 'PreToolUse' && defer && isHeadless());
}

// Only a session without a terminal can end and be resumed.
function isHeadless(): boolean {
  return process.env['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
}

function toQuery({ chatId, timeout, defer }: HookOptions, mayWait: boolean): string {
  // Claude Code starts this program when the event happens.
  const ageMs = Math.round(performance.now());
  const query = new URLSearchParams({ user: toWho(), ageMs: `${ageMs}` });
  if (chatId !== undefined) query.set('chatId', chatId);
  if (timeout !== undefined) query.set('timeout', timeout);
  if (defer && mayWait) query.set('defer', 'true');
  return query.toString();
}

function parseOptions(args: readonly string[]): HookOptions {
  const valueOf = (name: string): string | undefined => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const chatId = valueOf('--chat');
  const timeout = valueOf('--timeout');
  return {
    defer: args.includes('--defer'),
    ...(chatId !== undefined && { chatId }),
    ...(timeout !== undefined && { timeout }),
  };
}
