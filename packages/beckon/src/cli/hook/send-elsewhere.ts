import type { Agent } from 'node:http';
import { loadDialect } from '../../adapters/hooks/dialects/load-dialect.ts';
import { isHookAgent } from '../../adapters/hooks/hook-dialect.ts';
import { toSpoolFolder } from '../../bridge/elsewhere-spool.ts';
import { type SendSpoolOptions, type SentSpool, type SpoolSend, sendSpool } from '../../bridge/send-spool.ts';
import type { HookInput } from '../../core/hooks.ts';
import { type FoundBeckon, findBeckon, type WhereFlags } from '../../where/find-beckon.ts';
import { toHome, toHomeFile } from '../../where/home.ts';
import { readProfiles } from '../../where/profiles.ts';
import { toWho } from '../who.ts';
import { isNo } from './come-back.ts';
import { describeFault } from './describe-fault.ts';
import { post } from './hook-post.ts';
import { toHookPath } from './sent-hook.ts';

/** How long one hook may take. Nobody waits for it. */
const LIMIT_MS = 30_000;
const CONNECT_MS = 10_000;

/** Sends what waits for the Beckon at `url`, with a token for exactly that Beckon. `null`: another process does. */
export async function sendElsewhere(
  url: string,
  where: WhereFlags,
  how: Omit<SendSpoolOptions, 'folder' | 'send'>,
): Promise<SentSpool | null> {
  const target = findTarget(url, where);
  const module = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  const agent = new module.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    return await sendSpool({
      folder: toSpoolFolder(toHomeFile(toHome(process.env), 'elsewhere'), url),
      send: (hook) => sendHook(target, hook, agent),
      ...how,
    });
  } finally {
    agent.destroy();
  }
}

type Target = Pick<FoundBeckon, 'url' | 'profile' | 'token' | 'certificates'>;

/** The Beckon at `url`, as the options and the environment name it, or a profile. */
function findTarget(url: string, flags: WhereFlags): Target {
  const found = findBeckon({ flags });
  if (found.url === url) return found;
  const { profiles } = readProfiles(toHome(process.env));
  const [kept] = Object.entries(profiles).filter(([, profile]) => profile.url === url);
  return { url, token: kept?.[1].token, ...(kept !== undefined && { profile: kept[0] }) };
}

async function sendHook(target: Target, hook: HookInput, connections: Agent): Promise<SpoolSend> {
  const { id = '', text = '', at, agent = 'claude-code' } = hook;
  const { url, token, certificates: pins } = target;
  if (token === undefined) return { result: 'stop', why: describeFault(target, { result: 'refused' }) };
  if (!isHookAgent(agent))
    return { result: 'never', why: `This version does not know the hooks of ${JSON.stringify(agent)}.` };
  const happenedAt = at === undefined ? Date.now() : Date.parse(at);
  const query = new URLSearchParams({
    user: toWho(),
    ageMs: `${Math.max(0, Date.now() - happenedAt)}`,
    happenedAt: `${happenedAt}`,
    late: 'true',
  });
  const reply = await post({
    url: new URL(`${url}${toHookPath(await loadDialect(agent), query.toString())}`),
    token,
    pins,
    key: id,
    text,
    limitMs: LIMIT_MS,
    connectMs: CONNECT_MS,
    agent: connections,
  });
  if (reply.result === 'replied') return { result: 'sent' };
  const why = describeFault(target, reply);
  if (!isNo(reply) || reply.result !== 'refused') return { result: 'again', why };
  return { result: reply.status === 401 || reply.status === 403 ? 'stop' : 'never', why };
}
