import { existsSync } from 'node:fs';
import { type FoundBeckon, findBeckon, type WhereFlags } from '../../where/find-beckon.ts';
import { toHome } from '../../where/home.ts';
import { LOCAL_PROFILE, toProfilesPath } from '../../where/profiles.ts';

/**
 * The Beckon that hooks are sent to, as every command finds it, but with their own token where there is one. `null`: no
 * Beckon runs here, and none is named. Hooks are not sent to the default address, because another program may have it.
 */
export function findHookBeckon(flags: WhereFlags, agent: string): FoundBeckon | null {
  const found = findBeckon({ flags, agent });
  return found.by === 'default' ? null : found;
}

/**
 * Whether hooks that cannot be sent because a setting is wrong were meant for a Beckon elsewhere. This machine's own
 * must not get them.
 */
export function isMeantForElsewhere({ url, profile }: WhereFlags, env: NodeJS.ProcessEnv = process.env): boolean {
  const name = url ?? profile ?? (env['BECKON_URL'] || env['BECKON_PROFILE']);
  return name === undefined ? existsSync(toProfilesPath(toHome(env))) : name !== LOCAL_PROFILE;
}
