import type { HookDialect } from '../../adapters/hooks/hook-dialect.ts';
import { measureSpool, type SpoolState, toSpoolFolder } from '../../bridge/elsewhere-spool.ts';
import { toNetworkFailure, toUnreachable } from '../../client/failures.ts';
import { toTestHook } from '../../core/agent-hooks.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { FoundBeckon, WhereFlags } from '../../where/find-beckon.ts';
import { toHomeFile } from '../../where/home.ts';
import { requireToken } from '../../where/require-token.ts';
import { findHookBeckon } from './hook-address.ts';
import { type PostReply, post } from './hook-post.ts';

/** How long this machine's own Beckon may take for a test, and one elsewhere. */
const OWN_MS = 3000;
const ELSEWHERE_MS = 15_000;

/** What the hook command prints about a test of itself. */
export interface HookTest {
  /** Where hooks go, if that is known. */
  url?: string;
  profile?: string;
  isOwn?: boolean;
  /** From the call to the reply, in milliseconds. */
  replyMs?: number;
  /** Who hooks come in as. */
  token?: { name: string; role: string };
  /** What waits on this machine for a Beckon elsewhere. */
  spool?: SpoolState;
  /** What is wrong, or `null`. */
  fault: string | null;
}

/** Sends a hook that changes nothing, the way that hooks take. It says what becomes of it, and is never spooled. */
export async function testHook({ agent, title, path }: HookDialect, flags: WhereFlags): Promise<HookTest> {
  try {
    const found = findHookBeckon(flags, agent);
    if (found === null) {
      return { fault: `Beckon is not running, so ${title} goes on without it. Start it with: beckon up` };
    }
    const { url, profile, isOwn, home } = found;
    const sentAt = performance.now();
    const fault = await sendTest(found, path, toInstall(agent));
    const replyMs = Math.round(performance.now() - sentAt);
    const token = fault === null ? await findToken(found) : null;
    return {
      url,
      isOwn,
      ...(profile !== undefined && { profile }),
      ...(fault === null && { replyMs }),
      ...(token !== null && { token }),
      ...(!isOwn && { spool: measureSpool(toSpoolFolder(toHomeFile(home, 'elsewhere'), url)) }),
      fault,
    };
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return { fault: error.message };
  }
}

async function sendTest(found: FoundBeckon, path: string, install: string): Promise<string | null> {
  const { url, isOwn } = found;
  if (isOwn && found.token === undefined) {
    return `There is no token for the Beckon at ${url}. Run "${install}".`;
  }
  const reply = await call(found, `/hooks/${path}`, toTestHook());
  switch (reply.result) {
    case 'replied':
      return null;
    case 'lost':
    case 'pending':
      return `Beckon at ${url} did not reply in time. Try again in a moment.`;
    case 'refused':
      return reply.status === undefined ? toUnreached(found, reply.cause) : toRejected(found, reply.status, install);
  }
}

async function findToken(found: FoundBeckon): Promise<{ name: string; role: string } | null> {
  const reply = await call(found, '/v1/me');
  if (reply.result !== 'replied') return null;
  const { who, role } = JSON.parse(reply.text) as { who?: unknown; role?: unknown };
  return typeof who === 'string' && typeof role === 'string' ? { name: who, role } : null;
}

function call(found: FoundBeckon, path: string, text?: string): Promise<PostReply> {
  return post({
    url: new URL(`${found.url}${path}`),
    token: requireToken(found),
    pins: found.certificates,
    key: `test_${process.pid}`,
    limitMs: found.isOwn ? OWN_MS : ELSEWHERE_MS,
    ...(text !== undefined && { text }),
  });
}

async function toUnreached({ url, isOwn }: FoundBeckon, cause: unknown): Promise<string> {
  if (isOwn && isRefusal(cause)) return `Beckon is not running at ${url}. Start it with: beckon up`;
  if (cause === undefined) return toUnreachable(url, 'another program answered').message;
  return (await toNetworkFailure(url, cause)).error.message;
}

function isRefusal(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

function toRejected({ url, isOwn, profile, tokenFrom }: FoundBeckon, status: number, install: string): string {
  const what = `Beckon at ${url} rejected the hook (HTTP ${status}, token from ${tokenFrom}).`;
  if (isOwn) return `${what} Run "${install}" again for a new token.`;
  return `${what} Log in again with: beckon login ${url}${profile === undefined ? '' : ` --profile ${profile}`}`;
}

function toInstall(agent: string): string {
  return agent === 'claude-code' ? 'beckon claude install' : `beckon agents install ${agent}`;
}
