import { readFileSync } from 'node:fs';
import { TEST_EVENT } from '../../core/agent-hooks.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import type { FoundBeckon, WhereFlags } from '../../where/find-beckon.ts';
import { toHome, toHomeFile } from '../../where/home.ts';
import { findHookBeckon, isMeantForElsewhere } from './hook-address.ts';
import { type HookOptions, parseHookOptions } from './hook-options.ts';
import { type PostReply, post } from './hook-post.ts';
import { REPORT_MS, type SentHook, toHookQuery, toSentHook, waitsForPeople } from './sent-hook.ts';

/**
 * Hands a hook of Claude Code to Beckon and prints the reply. It never fails and prints nothing else: if anything goes
 * wrong, Claude Code goes on as without Beckon. It loads as little as possible, because Claude Code may wait for it.
 */
export async function runHook(args: readonly string[]): Promise<void> {
  try {
    const text = readFileSync(0, 'utf8');
    const hook = parseJson(text, (reason) => `The hook is not JSON: ${reason}`) as JsonObject;
    const options = parseHookOptions(args);
    const isTest = hook['hook_event_name'] === TEST_EVENT;
    const reply = isTest ? await test(options) : await handOver(toSentHook(hook, text), options);
    if (reply !== '' && reply !== '{}') process.stdout.write(`${reply}\n`);
  } catch (error) {
    if (process.env['BECKON_DEBUG'] !== undefined) process.stderr.write(`beckon: ${String(error)}\n`);
  }
}

async function test({ where }: HookOptions): Promise<string> {
  const { testHook } = await import('./hook-test.ts');
  return JSON.stringify({ test: await testHook(where) });
}

async function handOver(sent: SentHook, options: HookOptions): Promise<string> {
  const found = tryToFind(options.where);
  if (found !== null && !('cause' in found) && !found.isOwn) {
    const { handOverElsewhere } = await import('./hook-elsewhere.ts');
    return handOverElsewhere(sent, found, options);
  }
  if (found !== null && 'cause' in found && isMeantForElsewhere(options.where)) {
    const { tellLost } = await import('./hook-elsewhere.ts');
    return tellLost(sent, found.cause);
  }
  const reply = waitsForPeople(sent, options) ? await ask(sent, options) : await report(sent, options);
  if (reply.result === 'replied') return reply.text;
  await spool(sent);
  return '';
}

// Loads what gathers the context only when people are asked.
async function ask({ hook, text, key }: SentHook, options: HookOptions): Promise<PostReply> {
  const { askPeople } = await import('./hook-ask.ts');
  const { sendUntilReplied } = await import('./send-until-replied.ts');
  return askPeople(
    { hook, text, query: toHookQuery(options, true) },
    {
      send: (path, body, limitMs) => send({ key, path, text: body, limitMs, where: options.where }),
      persist: (attempt) => sendUntilReplied(() => attempt({ query: '', isKept: false })),
      limitMs: REPORT_MS,
    },
  );
}

function report({ text, key }: SentHook, options: HookOptions): Promise<PostReply> {
  const path = `/hooks/claude?${toHookQuery(options, false)}`;
  return send({ key, path, text, limitMs: REPORT_MS, where: options.where });
}

// Loads the spool only when it is needed.
async function spool({ hook, text, key }: SentHook): Promise<void> {
  const { spoolHook } = await import('../../bridge/spool.ts');
  const { session_id: sessionId } = hook;
  if (typeof sessionId !== 'string') return;
  spoolHook(toHomeFile(toHome(process.env), 'spool'), { id: key, sessionId, hook, text });
}

interface Message {
  key: string;
  path: string;
  text: string | undefined;
  limitMs: number | undefined;
  where: WhereFlags;
}

async function send({ key, path, text, limitMs, where }: Message): Promise<PostReply> {
  // Looked up each time: after a restart Beckon may be at another address.
  const found = tryToFind(where);
  if (found === null || 'cause' in found) return { result: 'refused', ...found };
  const { url, token, certificates: pins, isOwn } = found;
  // What was asked here is not asked elsewhere, although somebody has logged in there meanwhile.
  if (token === undefined || !isOwn) return { result: 'refused' };
  return post({ url: new URL(`${url}${path}`), token, pins, key, limitMs, ...(text !== undefined && { text }) });
}

// With a wrong setting, the hook is spooled as if Beckon did not run.
function tryToFind(where: WhereFlags): FoundBeckon | { cause: unknown } | null {
  try {
    return findHookBeckon(where);
  } catch (cause) {
    return { cause };
  }
}
