import { connectAccount } from '../../client/connect-account.ts';
import type { Me } from '../../protocol/account.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type FoundBeckon, findBeckon } from '../../where/find-beckon.ts';
import { LOCAL_PROFILE, readProfiles } from '../../where/profiles.ts';
import { connect } from '../client.ts';

/** How long to look for out who the hooks come in as. */
const LOOK_SECONDS = 5;

/**
 * The options with which hooks name the Beckon that is in use now, so that a later `beckon login` does not move them.
 * None for a host or port, which the environment or the home's config file set for hooks too.
 */
export function toHookWhere({ url, by, profile, home }: FoundBeckon): string[] {
  if (profile !== undefined) return ['--profile', profile];
  switch (by) {
    case 'daemon':
    case 'default':
      return ['--profile', LOCAL_PROFILE];
    case 'url': {
      const kept = Object.entries(readProfiles(home).profiles).find(([, one]) => one.url === url);
      return kept === undefined ? ['--url', url] : ['--profile', kept[0]];
    }
    case 'profile':
    case 'host':
      return [];
  }
}

/** The Beckon that hooks go to, and who they come in as if it is elsewhere. Throws if it is elsewhere and does not take them. */
export async function findHookTarget(): Promise<{ found: FoundBeckon; caller: Me | null }> {
  const found = findBeckon();
  const caller = found.isOwn ? null : await findHookCaller(found);
  if (caller !== null) checkHookCaller(found, caller);
  return { found, caller };
}

/** Who hooks come in as, at a Beckon elsewhere. `null`: it cannot be reached now. Throws if it rejects the token. */
export async function findHookCaller(found: FoundBeckon): Promise<Me | null> {
  const { url, access } = await connect(found);
  try {
    const me = await connectAccount(url, { ...access, retryFor: LOOK_SECONDS }).me();
    if (me !== null) return me;
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'unreachable') return null;
    throw error;
  }
  throw new BeckonError(
    'unauthorized',
    `Beckon at ${url} does not accept the token from ${found.tokenFrom}. Log in again with: ${toLogin(found)}`,
  );
}

/** Throws `forbidden` if hooks would come in with a token that may do more than ask: any program here can run them. */
export function checkHookCaller(found: FoundBeckon, { who, role }: Me): void {
  if (role === 'agent') return;
  throw new BeckonError(
    'forbidden',
    `The token from ${found.tokenFrom} is ${who}’s, with the role ${role}. Hooks need one that may ask and nothing else. ` +
      `Get it with: ${toLogin(found)}`,
  );
}

function toLogin({ url, profile }: FoundBeckon): string {
  return `beckon login ${url}${profile === undefined ? '' : ` --profile ${profile}`}`;
}
