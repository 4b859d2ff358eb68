import { BeckonError } from '../../protocol/errors.ts';
import { type Profile, type Profiles, readProfiles } from '../../where/profiles.ts';

/** The profile of this name, or else the current one. Throws `invalid_input` if there is none. */
export function chooseProfile(home: string, name?: string): { name: string; profile: Profile } {
  const { current, profiles } = readProfiles(home);
  const chosen = name ?? current;
  if (chosen === undefined) {
    throw new BeckonError(
      'invalid_input',
      Object.keys(profiles).length === 0
        ? 'This machine is not logged in to a Beckon. Log in with: beckon login URL'
        : `No profile is the current one. Name one with --profile: ${listNames(profiles)}`,
    );
  }
  const profile = Object.hasOwn(profiles, chosen) ? profiles[chosen] : undefined;
  if (profile !== undefined) return { name: chosen, profile };
  throw toUnknownProfile(chosen, profiles);
}

/** The error for a name that no profile has. */
export function toUnknownProfile(name: string, profiles: Profiles['profiles']): BeckonError {
  const known = listNames(profiles);
  const next = known === '' ? 'Log in with: beckon login URL' : `There is: ${known}`;
  return new BeckonError('invalid_input', `No profile named ${JSON.stringify(name)}. ${next}`);
}

function listNames(profiles: Profiles['profiles']): string {
  return Object.keys(profiles).join(', ');
}
