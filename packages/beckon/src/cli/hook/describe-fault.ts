import { describeTlsFault } from '../../protocol/tls-fault.ts';
import type { FoundBeckon } from '../../where/find-beckon.ts';
import type { PostReply } from './hook-post.ts';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no network',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'no connection',
};

/** Why a hook did not get through to a Beckon elsewhere, in one sentence, with what to do about it. */
export function describeFault(
  { url, profile, token }: Pick<FoundBeckon, 'url' | 'profile' | 'token'>,
  reply: PostReply,
): string {
  const where = `Beckon at ${new URL(url).host}`;
  const login = `beckon login ${url}${profile === undefined ? '' : ` --profile ${profile}`}`;
  if (token === undefined) return `There is no token for the ${where}: run "${login}".`;
  if (reply.result === 'refused' && reply.isBeckon === true) {
    return reply.status === 401 || reply.status === 403
      ? `${where} does not accept the login of this machine: run "${login}" again.`
      : `${where} refused a hook (HTTP ${reply.status}).`;
  }
  return `${where} cannot be reached (${findWhy(url, reply)}).`;
}

function findWhy(url: string, reply: PostReply): string {
  if (reply.result === 'replied' || reply.result === 'pending') return 'nobody waits any more';
  if (reply.status !== undefined) return `HTTP ${reply.status}`;
  const { cause } = reply;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const tls = describeTlsFault(url, cause);
  if (tls !== null) return tls.replace(/\.$/, '');
  if (code !== undefined) return WORDS[code] ?? code;
  if (cause instanceof Error && cause.message !== '') return cause.message;
  return reply.result === 'lost' ? 'the connection broke' : 'something else answers there';
}
