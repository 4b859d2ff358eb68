import { join } from 'node:path';
import { makePrivateFolder, readIfThere, writePrivateFile } from '../machine/private-file.ts';
import { BeckonError } from '../protocol/errors.ts';

/** A Beckon that this machine is logged in to. */
export interface Profile {
  /** Its address, without a slash at its end. */
  url: string;
  token: string;
  /** The name of the token, as that Beckon has it. */
  name: string;
  /** Whose agents come in with it. */
  owner: string;
  savedAt: string;
}

/** Every profile of a home, and the one that commands use unless told otherwise. */
export interface Profiles {
  current?: string;
  profiles: Readonly<Record<string, Profile>>;
}

/** The name of a profile unless another is given. */
export const DEFAULT_PROFILE = 'default';

/** Names this machine's own Beckon wherever a profile is expected. */
export const LOCAL_PROFILE = 'local';

/** The file of the profiles. Hooks read it on every call, so this module loads no schemas. */
export function toProfilesPath(home: string): string {
  return join(home, 'profiles.json');
}

/** Reads the profiles. Throws `invalid_input` for a file that cannot be read as such. */
export function readProfiles(home: string): Profiles {
  const path = toProfilesPath(home);
  const text = readIfThere(path);
  if (text === undefined) return { profiles: {} };
  const value = parse(text);
  if (value !== null) return value;
  throw new BeckonError('invalid_input', `${path} cannot be read. Remove it, then log in again with: beckon login URL`);
}

/** Keeps a profile for this user alone, and makes it the current one. */
export function saveProfile(home: string, name: string, profile: Profile): void {
  makePrivateFolder(home);
  const { profiles } = readProfiles(home);
  write(home, { current: name, profiles: { ...profiles, [name]: profile } });
}

/** Makes a profile the current one; `local` is this machine's own Beckon. `false`: there is none of this name. */
export function selectProfile(home: string, name: string): boolean {
  const { profiles } = readProfiles(home);
  const isLocal = name === LOCAL_PROFILE;
  if (!isLocal && !Object.hasOwn(profiles, name)) return false;
  makePrivateFolder(home);
  write(home, { ...(!isLocal && { current: name }), profiles });
  return true;
}

/** Forgets a profile. If it was the current one, none is. `false`: there is none of this name. */
export function removeProfile(home: string, name: string): boolean {
  const { current, profiles } = readProfiles(home);
  if (!Object.hasOwn(profiles, name)) return false;
  const { [name]: _removed, ...rest } = profiles;
  write(home, { ...(current !== undefined && current !== name && { current }), profiles: rest });
  return true;
}

function write(home: string, profiles: Profiles): void {
  writePrivateFile(toProfilesPath(home), `${JSON.stringify(profiles, null, 2)}\n`);
}

function parse(text: string): Profiles | null {
  try {
    const { current, profiles } = JSON.parse(text) as { current?: unknown; profiles?: unknown };
    if (typeof profiles !== 'object' || profiles === null || !Object.values(profiles).every(isProfile)) return null;
    return { ...(typeof current === 'string' && { current }), profiles: profiles as Record<string, Profile> };
  } catch {
    return null;
  }
}

function isProfile(value: unknown): value is Profile {
  const { url, token, name, owner, savedAt } = { ...(value as object) } as Record<string, unknown>;
  return [url, token, name, owner, savedAt].every((field) => typeof field === 'string' && field !== '');
}
