import { connectBeckon } from '../../client/connect-beckon.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import { findProblems, type Health, probe } from '../../daemon/health.ts';
import { readVersion } from '../../daemon/version.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type FoundBeckon, findBeckon, type WhereFlags } from '../../where/find-beckon.ts';
import { LOCAL_PROFILE } from '../../where/profiles.ts';
import { isSecret } from '../../where/setting-rules.ts';
import { connect } from '../client.ts';
import type { Finding } from './checks.ts';

/**
 * Checks which Beckon commands use, whether it is reachable from here, and whether it accepts this user's token. If the
 * settings for that are wrong, it says so, unless `problems` has it already, and checks this machine's own.
 */
export async function checkConnection(flags: WhereFlags, problems: readonly BeckonError[]): Promise<Finding[]> {
  try {
    return await checkFound(findBeckon({ flags }));
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    const isKnown = problems.some(({ message }) => message.split(':')[0] === error.message.split(':')[0]);
    const finding: Finding = { name: 'address', status: 'wrong', found: error.message, next: 'Correct or remove it.' };
    const { BECKON_TOKEN: token, ...rest } = process.env;
    const env = isSecret(token) ? process.env : rest;
    return [
      ...(isKnown ? [] : [finding]),
      ...(await checkFound(findBeckon({ flags: { profile: LOCAL_PROFILE }, env }))),
    ];
  }
}

async function checkFound(found: FoundBeckon): Promise<Finding[]> {
  const { url, from, certificates } = found;
  const address: Finding = { name: 'address', status: 'ok', found: url, from };
  const health = await probe(url, certificates);
  if (health.kind !== 'beckon') return [address, await toUnreached(found, health)];
  const notReady = (await findProblems(url, certificates)).map((problem): Finding => {
    const next = 'See its log. Beckon goes on by itself once this is fixed.';
    return { name: 'daemon', status: 'wrong', found: problem, next };
  });
  return [address, toVersion(found, health), ...notReady, await checkToken(found)];
}

async function toUnreached({ url, isOwn, home }: FoundBeckon, health: Health): Promise<Finding> {
  const daemon = await findDaemon(toStatePath(home));
  const isExpected = !isOwn || (daemon !== null && daemon.liveness !== 'gone');
  const what = {
    other: 'another program is running',
    nothing: 'nothing is running',
    silent: 'no response',
    beckon: '',
  };
  const why = health.kind === 'silent' ? `: ${health.reason}` : '';
  return {
    name: 'daemon',
    status: isExpected || health.kind === 'other' ? 'wrong' : 'warning',
    found: `${what[health.kind]} at ${url}${why}`,
    next: toNext(isOwn, health),
  };
}

function toNext(isOwn: boolean, { kind }: Health): string {
  if (!isOwn) return 'Check the address, and that Beckon runs there.';
  return kind === 'other' ? 'Choose another port with --port.' : 'Start it with: beckon up';
}

function toVersion({ url, isOwn }: FoundBeckon, health: { version: string; pid: number }): Finding {
  const version = readVersion();
  const next = isOwn ? 'Restart Beckon with: beckon down; beckon up' : 'Use the same version on both machines.';
  return {
    name: 'daemon',
    status: health.version === version ? 'ok' : 'warning',
    found: `Beckon ${health.version} (pid ${health.pid}) at ${url}`,
    ...(health.version !== version && { next: `This command is version ${version}. ${next}` }),
  };
}

async function checkToken(found: FoundBeckon): Promise<Finding> {
  const { tokenFrom: from } = found;
  try {
    const { url, access } = await connect(found);
    const beckon = connectBeckon(url, { ...access, retryFor: 1 });
    try {
      // Every role may read, and the id need not exist.
      await beckon.get('doctor');
    } finally {
      await beckon.close();
    }
    return { name: 'token', status: 'ok', found: 'valid', from };
  } catch (error) {
    const isRefused = error instanceof BeckonError && error.code === 'unauthorized' && found.token !== undefined;
    const message = isRefused ? 'Beckon rejected it' : String((error as Error).message);
    return { name: 'token', status: 'wrong', found: message, from, next: toTokenNext(found) };
  }
}

function toTokenNext({ url, isOwn, tokenFrom }: FoundBeckon): string {
  if (!isOwn) return `Log in again with: beckon login ${url}`;
  return tokenFrom === 'BECKON_TOKEN'
    ? "Unset BECKON_TOKEN to use this machine's token, or create a valid one with: beckon token create"
    : 'Restart Beckon to get a new one, or create one with: beckon token create';
}
