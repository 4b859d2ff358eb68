import { isLoopback, toReachable, toUrl } from '../machine/address.ts';
import { parseBeckonUrl } from '../protocol/beckon-url.ts';
import { describeValue } from '../protocol/describe-value.ts';
import { BeckonError } from '../protocol/errors.ts';
import { DEFAULT_HOST, DEFAULT_PORT, toHome, toHomeFile, toHookTokenPath } from './home.ts';
import { findOwnDaemon, type OwnDaemon } from './own-daemon.ts';
import { LOCAL_PROFILE, type Profile, type Profiles, readProfiles } from './profiles.ts';
import { readJsonFile, readTextFile } from './read-file.ts';
import { EXPECTED, isHostName, isPort, isSecret, toTypedPort } from './setting-rules.ts';

/** The options of a command that say where Beckon is, as typed. */
export interface WhereFlags {
  url?: string | undefined;
  profile?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
}

/** Where to look for Beckon. */
export interface WhereSources {
  flags?: WhereFlags;
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** The agent whose hook looks: its own token counts before the person's, for this machine's own Beckon. */
  agent?: string | undefined;
}

/** The Beckon that a command uses. */
export interface FoundBeckon {
  /** Its address, without a slash at its end. */
  url: string;
  /** What named the address. With `default` nothing did, and another program may have the port. */
  by: 'url' | 'profile' | 'host' | 'daemon' | 'default';
  /** The same for people: `--url`, `BECKON_PORT`, a profile or the path of a file. */
  from: string;
  /** The name of the profile, if one is used. */
  profile?: string;
  token: string | undefined;
  /** What the token comes from: `BECKON_TOKEN`, a profile or the path of a file; without a token, where it would be. */
  tokenFrom: string;
  /** Whether it is this machine's own, to which the token files of the home may be sent. */
  isOwn: boolean;
  /** SHA-256 of the certificates that it must show; absent if the usual rules of TLS hold, or there is no TLS. */
  certificates?: readonly string[];
  home: string;
}

const URL_HINT = '. For a URL, use --url or BECKON_URL.';

type Env = Readonly<Record<string, string | undefined>>;
type Place = Pick<FoundBeckon, 'url' | 'by' | 'from'> & { profile?: { name: string; kept: Profile; isFlag: boolean } };

/**
 * Finds the Beckon to use and the token for it, for every command, hook and library call. The first that is set counts:
 * `--url`, `--profile`, `BECKON_URL`, `BECKON_PROFILE`, host and port (options before the environment), the current
 * profile, host and port in the home's config file, the home's running daemon, the default. Throws `invalid_input` for
 * a wrong option, variable or profile. The config file of the current folder does not count: whoever wrote it would
 * decide where a token is sent.
 */
export function findBeckon(sources: WhereSources = {}): FoundBeckon {
  const { flags = {}, env = process.env, cwd, agent } = sources;
  const home = toHome(env, cwd);
  const daemon = findOwnDaemon(home);
  const { profile, ...place } = findPlace({ flags, env, home, daemon });
  const isOwn = profile === undefined && isOwnAddress(place, daemon);
  const isPinned = isOwn && place.url.startsWith('https:') && isSameListener(place.url, daemon?.url);
  return {
    ...place,
    ...(profile !== undefined && { profile: profile.name }),
    ...(findGivenToken(env, profile) ?? findTokenFile(isOwn ? listTokenFiles(home, agent) : [])),
    isOwn,
    ...(isPinned && { certificates: daemon?.certificates ?? [] }),
    home,
  };
}

interface Sources {
  flags: WhereFlags;
  env: Env;
  home: string;
  daemon: OwnDaemon | undefined;
}

function findPlace(sources: Sources): Place {
  const { flags, env, home, daemon } = sources;
  if (flags.url !== undefined) return toUrlPlace(flags.url, '--url');
  if (flags.profile !== undefined) return toProfilePlace(flags.profile, '--profile', sources);
  if (env['BECKON_URL']) return toUrlPlace(env['BECKON_URL'], 'BECKON_URL');
  if (env['BECKON_PROFILE']) return toProfilePlace(env['BECKON_PROFILE'], 'BECKON_PROFILE', sources);
  const host = findHost(flags, env);
  const port = findPort(flags, env);
  const config = readConfigAddress(home);
  if (host !== undefined || isChosen(port?.value)) {
    return toHostPlace(host?.value ?? config.host, port?.value ?? config.port, (host ?? port)?.from ?? '', daemon);
  }
  const profiles = readProfiles(home);
  const { current } = profiles;
  if (current !== undefined && current !== LOCAL_PROFILE) {
    return toKeptPlace(current, profiles, 'the current profile');
  }
  if (config.host !== undefined || isChosen(config.port)) {
    return toHostPlace(config.host, config.port, toHomeFile(home, 'config'), daemon);
  }
  return findLocal(undefined, sources);
}

function toUrlPlace(text: string, from: string): Place {
  return { url: parseBeckonUrl(text, from), by: 'url', from };
}

function toProfilePlace(name: string, from: string, sources: Sources): Place {
  if (name === LOCAL_PROFILE) return findLocal(readConfigAddress(sources.home).port, sources);
  return toKeptPlace(name, readProfiles(sources.home), from);
}

function toKeptPlace(name: string, { profiles }: Profiles, from: string): Place {
  const kept = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (kept === undefined) {
    const known = [...Object.keys(profiles), LOCAL_PROFILE].join(', ');
    throw new BeckonError(
      'invalid_input',
      `No profile ${JSON.stringify(name)} (${from}). Known here: ${known}. ` +
        `To add it, run: beckon login URL --profile ${/^[\w.-]+$/.test(name) ? name : 'NAME'}`,
    );
  }
  return {
    url: parseBeckonUrl(kept.url, `url of the profile ${JSON.stringify(name)}`),
    by: 'profile',
    from: `${from} ${JSON.stringify(name)}`,
    profile: { name, kept, isFlag: from === '--profile' },
  };
}

/** A host and port, as `beckon up` takes them, at which there is plain HTTP unless this home's daemon has TLS there. */
function toHostPlace(
  host: string | undefined,
  port: number | undefined,
  from: string,
  daemon: OwnDaemon | undefined,
): Place {
  const url = toUrl(toReachable(host ?? DEFAULT_HOST), isChosen(port) ? port : DEFAULT_PORT);
  const isDaemon = daemon?.url.startsWith('https:') === true && isSameListener(url, daemon.url);
  return { url: isDaemon ? daemon.url : url, by: 'host', from };
}

/** This machine's own Beckon: where it runs, else where it would. */
function findLocal(port: number | undefined, { home, daemon }: Pick<Sources, 'home' | 'daemon'>): Place {
  if (daemon !== undefined) return { url: daemon.url, by: 'daemon', from: toHomeFile(home, 'state') };
  return { url: toUrl(DEFAULT_HOST, isChosen(port) ? port : DEFAULT_PORT), by: 'default', from: 'default' };
}

interface Named<Value> {
  value: Value;
  from: string;
}

function findHost(flags: WhereFlags, env: Env): Named<string> | undefined {
  const found = findText(flags.host, '--host', env, 'BECKON_HOST');
  if (found === undefined) return undefined;
  const { value, from } = found;
  if (isHostName(value)) return found;
  throw toInvalid(from, EXPECTED.host, found.value, found.value.includes('://') ? URL_HINT : '');
}

function findPort(flags: WhereFlags, env: Env): Named<number> | undefined {
  const found = findText(flags.port, '--port', env, 'BECKON_PORT');
  if (found === undefined) return undefined;
  const value = toTypedPort(found.value);
  if (isPort(value)) return { value, from: found.from };
  throw toInvalid(found.from, EXPECTED.port, value);
}

function findText(flag: string | undefined, option: string, env: Env, variable: string): Named<string> | undefined {
  if (flag !== undefined) return { value: flag, from: option };
  const text = env[variable];
  return text ? { value: text, from: variable } : undefined;
}

// A wrong setting of the file counts as not set: hooks still arrive, and other commands complain with its schema.
function readConfigAddress(home: string): { host: string | undefined; port: number | undefined } {
  const { host, port } = readJsonFile(toHomeFile(home, 'config'));
  return { host: isHostName(host) ? host : undefined, port: isPort(port) ? port : undefined };
}

/** Port 0 is any that is free, so it names none. */
function isChosen(port: number | undefined): port is number {
  return port !== undefined && port !== 0;
}

// The option beats the environment, so a token in the environment is not sent to the profile that the option names.
function findGivenToken(env: Env, profile: Place['profile']): Pick<FoundBeckon, 'token' | 'tokenFrom'> | undefined {
  const given = env['BECKON_TOKEN'];
  if (given && profile?.isFlag !== true) {
    if (!isSecret(given)) throw toInvalid('BECKON_TOKEN', EXPECTED.secret);
    return { token: given, tokenFrom: 'BECKON_TOKEN' };
  }
  return profile && { token: profile.kept.token, tokenFrom: `the profile ${JSON.stringify(profile.name)}` };
}

function listTokenFiles(home: string, agent: string | undefined): string[] {
  const own = toHomeFile(home, 'token');
  return agent === undefined ? [own] : [toHookTokenPath(home, agent), own];
}

function findTokenFile(paths: readonly string[]): Pick<FoundBeckon, 'token' | 'tokenFrom'> {
  for (const tokenFrom of paths) {
    const token = readTextFile(tokenFrom);
    if (isSecret(token)) return { token, tokenFrom };
  }
  return { token: undefined, tokenFrom: paths[0] ?? 'BECKON_TOKEN' };
}

// Behind a loopback address of a URL there may be a tunnel to another machine, so it must be the daemon's own.
function isOwnAddress({ url, by }: Pick<Place, 'url' | 'by'>, daemon: OwnDaemon | undefined): boolean {
  return isSameListener(url, daemon?.url) || (by !== 'url' && isLoopback(new URL(url).hostname));
}

function isSameListener(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [a, b] = [new URL(one), new URL(other)];
  if (toPort(a) !== toPort(b)) return false;
  return a.hostname === b.hostname || (isLoopback(a.hostname) && isLoopback(b.hostname));
}

function toPort({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

// Without a value it is a secret, which no message may repeat.
function toInvalid(from: string, expected: string, value?: unknown, next = ''): BeckonError {
  const got = value === undefined ? 'something else' : describeValue(value);
  return new BeckonError('invalid_input', `Invalid ${from}: expected ${expected}, got ${got}${next}`);
}
