import { BeckonError } from '../protocol/errors.ts';
import type { FoundBeckon } from './find-beckon.ts';
import { readProfiles } from './profiles.ts';

/** The token for a Beckon. Throws `unauthorized` with the way to get one. */
export function requireToken(found: FoundBeckon): string {
  const { token, tokenFrom, url, isOwn, home } = found;
  if (token !== undefined) return token;
  if (isOwn) {
    throw new BeckonError(
      'unauthorized',
      `There is no token in ${tokenFrom}. Set BECKON_TOKEN, or set BECKON_HOME to the folder that the Beckon at ${url} uses.`,
    );
  }
  const kept = Object.entries(readProfiles(home).profiles).find(([, profile]) => profile.url === url);
  throw new BeckonError(
    'unauthorized',
    kept === undefined
      ? `There is no token for the Beckon at ${url}. Log in with: beckon login ${url}, or set BECKON_TOKEN.`
      : `There is no token for the Beckon at ${url}. Use its profile with --profile ${kept[0]}, or set BECKON_TOKEN.`,
  );
}
