import { readFileSync } from 'node:fs';
import { loadDialect } from '../../adapters/hooks/dialects/load-dialect.ts';
import type { HookAgent, HookDialect } from '../../adapters/hooks/hook-dialect.ts';
import { TEST_EVENT } from '../../core/agent-hooks.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import type { FoundBeckon, WhereFlags } from '../../where/find-beckon.ts';
import { toHome, toHomeFile } from '../../where/home.ts';
import { findHookBeckon, isMeantForElsewhere } from './hook-address.ts';
import { type HookOptions, parseHookOptions } from './hook-options.ts';
import { type PostReply, post } from './hook-post.ts';
import { REPORT_MS, type SentHook, toHookPath, toHookQuery, toSentHook, waitsForPeople } from './sent-hook.ts';
import { whenLeft } from './when-left.ts';

/**
 * Hands a hook of a client to Beckon and prints the reply. It never fails and prints nothing else: if anything goes
 * wrong, the client goes on as without Beckon. It loads as little as possible, because the client may wait for it.
 */
export async function runHook(agent: HookAgent, args: readonly string[]): Promise<void> {
  try {
    const text = readFileSync(0, 'utf8');
    const hook = parseJson(text, (reason) => `The hook is not JSON: ${reason}`) as JsonObject;
    const options = parseHookOptions(args);
    const isTest = hook['hook_event_name'] === TEST_EVENT;
    const dialect = await loadDialect(agent);
    const reply = isTest
      ? await test(dialect, options)
      : await handOver(toSentHook(dialect, hook, text, options.event), options);
    if (reply !== '' && reply !== '{}') process.stdout.write(`${reply}\n`);
  } catch (error) {
    if (process.env['BECKON_DEBUG'] !== undefined) process.stderr.write(`beckon: ${String(error)}\n`);
  }
}

async function test(dialect: HookDialect, { where }: HookOptions): Promise<string> {
  const { testHook } = await import('./hook-test.ts');
  return JSON.stringify({ test: await testHook(dialect, where) });
}

async function handOver(sent: SentHook, options: HookOptions): Promise<string> {
  if (sent.dialect.hasTranscript !== true) await keepPrompt(sent);
  const found = tryToFind(options.where, sent.dialect.agent);
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

// What people will not see is no reason to lose the hook.
async function keepPrompt(sent: SentHook): Promise<void> {
  const { notePrompt } = await import('./prompts.ts');
  try {
    notePrompt(sent);
  } catch (error) {
    if (process.env['BECKON_DEBUG'] !== undefined) process.stderr.write(`beckon: ${String(error)}\n`);
  }
}

// Loads what gathers the context only when people are asked.
async function ask(sent: SentHook, options: HookOptions): Promise<PostReply> {
  const { askPeople } = await import('./hook-ask.ts');
  const { sendUntilReplied } = await import('./send-until-replied.ts');
  // Beckon notices that the connection ends.
  whenLeft(() => process.exit(0));
  return askPeople(
    { ...sent, query: toHookQuery(options, true) },
    {
      send: (path, text, limitMs) => send(sent, { path, text, limitMs, where: options.where }),
      persist: (attempt) => sendUntilReplied(() => attempt({ query: '', isKept: false })),
      limitMs: REPORT_MS,
    },
  );
}

function report(sent: SentHook, options: HookOptions): Promise<PostReply> {
  const path = toHookPath(sent.dialect, toHookQuery(options, false));
  return send(sent, { path, text: sent.text, limitMs: REPORT_MS, where: options.where });
}

// Loads the spool only when it is needed.
async function spool({ dialect: { agent }, hook, sessionId, text, key }: SentHook): Promise<void> {
  const { spoolHook } = await import('../../bridge/spool.ts');
  if (sessionId === undefined) return;
  spoolHook(toHomeFile(toHome(process.env), 'spool'), { id: key, agent, sessionId, hook, text });
}

interface Message {
  path: string;
  text: string | undefined;
  limitMs: number | undefined;
  where: WhereFlags;
}

async function send({ key, dialect }: SentHook, { path, text, limitMs, where }: Message): Promise<PostReply> {
  // Looked up each time: after a restart Beckon may be at another address.
  const found = tryToFind(where, dialect.agent);
  if (found === null || 'cause' in found) return { result: 'refused', ...found };
  const { url, token, certificates: pins, isOwn } = found;
  // What was asked here is not asked elsewhere, although somebody has logged in there meanwhile.
  if (token === undefined || !isOwn) return { result: 'refused' };
  return post({ url: new URL(`${url}${path}`), token, pins, key, limitMs, ...(text !== undefined && { text }) });
}

// With a wrong setting, the hook is spooled as if Beckon did not run.
function tryToFind(where: WhereFlags, agent: string): FoundBeckon | { cause: unknown } | null {
  try {
    return findHookBeckon(where, agent);
  } catch (cause) {
    return { cause };
  }
}
