import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { type Profile, readProfiles, removeProfile, saveProfile, selectProfile, toProfilesPath } from './profiles.ts';

const profile: Profile = {
  url: 'https://beckon.example.com',
  token: 'bkn_1',
  name: 'laptop',
  owner: 'ada',
  savedAt: '2026-01-01T00:00:00.000Z',
};

let folder: string;
beforeEach(() => {
  folder = createTemporaryFolder('beckon-profiles-');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a home without the file has no profiles', () => {
  expect(readProfiles(join(folder, 'none'))).toEqual({ profiles: {} });
});

test('the profile saved last is the current one, and only this user may read the file', () => {
  saveProfile(folder, 'default', profile);
  saveProfile(folder, 'team', { ...profile, url: 'https://team.example' });
  expect(readProfiles(folder)).toEqual({
    current: 'team',
    profiles: { default: profile, team: { ...profile, url: 'https://team.example' } },
  });
  expect(statSync(toProfilesPath(folder)).mode & 0o777).toBe(0o600);
});

test('removing the current profile leaves the others, and none of them becomes current by itself', () => {
  saveProfile(folder, 'default', profile);
  saveProfile(folder, 'team', profile);
  expect(removeProfile(folder, 'team')).toBe(true);
  expect(readProfiles(folder)).toEqual({ profiles: { default: profile } });
  expect(removeProfile(folder, 'team')).toBe(false);
});

test('removing another profile keeps the current one', () => {
  saveProfile(folder, 'default', profile);
  saveProfile(folder, 'team', profile);
  removeProfile(folder, 'default');
  expect(readProfiles(folder).current).toBe('team');
});

test('a profile is made the current one by its name, and "local" by that of none', () => {
  saveProfile(folder, 'default', profile);
  saveProfile(folder, 'team', profile);
  expect(selectProfile(folder, 'default')).toBe(true);
  expect(readProfiles(folder).current).toBe('default');
  expect(selectProfile(folder, 'none')).toBe(false);
  expect(selectProfile(folder, 'toString')).toBe(false);
  expect(readProfiles(folder).current).toBe('default');
  expect(selectProfile(folder, 'local')).toBe(true);
  expect(readProfiles(folder)).toEqual({ profiles: { default: profile, team: profile } });
});

test.each(['', 'null', '[]', '{"profiles":[1]}', '{"profiles":{"a":{"url":"x"}}}', '{"profiles":null}'])(
  'a file with %j is refused with the next step, and left alone',
  (text) => {
    writeFileSync(toProfilesPath(folder), text);
    expect(() => readProfiles(folder)).toThrow('Remove it, then log in again');
    expect(() => saveProfile(folder, 'default', profile)).toThrow('Remove it');
  },
);
