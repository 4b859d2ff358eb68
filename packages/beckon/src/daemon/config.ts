import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { CONTEXT_LEVELS, type ContextLevel } from '../core/context-level.ts';
import { readIfThere } from '../machine/private-file.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/limits.ts';
import { must, parse } from '../protocol/parse.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { DEFAULT_HOST, DEFAULT_PORT, HOME_FILES, toHome, toHomeFile } from './home.ts';
import { isHostName, isPort, isSecret, toTypedPort } from './setting-rules.ts';

/** A setting and its origin: `--port`, `BECKON_PORT`, the path of a file, or `default`. */
interface Setting<Value> {
  value: Value;
  from: string;
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Everything that can be set. Settings that Beckon can run without may be `undefined`. */
export interface Settings {
  store: string;
  host: string;
  port: number;
  /** The timeout of a request that names none; `null` never times out. */
  timeout: Duration | null;
  /** Host names that requests may use, besides loopback and `host`. */
  allowedHosts: readonly string[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** How much of what surrounds a request is sent by hooks, and kept. */
  context: ContextLevel;
  token: string | undefined;
  apiUrl: string | undefined;
  apiToken: string | undefined;
  apiSecret: string | undefined;
  callbackHost: string | undefined;
  callbackUrl: string | undefined;
  sessionId: string | undefined;
}

/** Every setting with its origin. `home` is the folder of the token, the database and the daemon's state. */
export type Config = { readonly [Key in keyof Settings]: Setting<Settings[Key]> } & { readonly home: Setting<string> };

/** Where settings are read from. Flags are texts as typed. */
export interface ConfigSources {
  flags?: { readonly [Key in keyof Settings]?: string | readonly string[] | undefined };
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

const HostName = z.string().check(must('a host name or an IP address, without port', isHostName));
const Url = z.string().check(must('an http or https URL', (url) => /^https?:\/\/[^\s]+$/.test(url)));
const Secret = z.string().check(must('a text without spaces', isSecret, () => 'something else'));

/** A timeout above zero; `never` is how a timeout that never ends is written. */
function createTimeout(never: string): z.ZodMiniType<Duration | null> {
  return z.nullable(
    z
      .union([z.number(), z.string()])
      .check(
        must(
          `seconds, more than 0, or a text such as "30s", "5m" or "12h", or ${never}`,
          (duration) => z.safeParse(Duration, duration).success && toMilliseconds(duration) > 0,
        ),
      ),
  );
}

const SCHEMAS = {
  store: z
    .string()
    .check(must('a store such as "sqlite:./beckon.db" or "postgres://…"', isStore, () => 'another text')),
  host: HostName,
  port: z.number().check(must('a whole number from 0 to 65535', isPort)),
  timeout: createTimeout('null for no timeout'),
  allowedHosts: z.array(HostName),
  logLevel: z.enum(LOG_LEVELS),
  context: z.enum(CONTEXT_LEVELS),
  token: Secret,
  apiUrl: Url,
  apiToken: Secret,
  apiSecret: Secret,
  callbackHost: HostName,
  callbackUrl: Url,
  sessionId: z.string(),
} satisfies { [Key in keyof Settings]: z.ZodMiniType };

/** A timeout as people type it, without null. */
const TYPED_TIMEOUT = createTimeout('"never"');

/** Secrets do not belong in a file that may end up in a repository. */
const { store, host, port, timeout, allowedHosts, logLevel, context, apiUrl, callbackHost } = SCHEMAS;
const ConfigFile = z.partial(
  z.strictObject({ store, host, port, timeout, allowedHosts, logLevel, context, apiUrl, callbackHost }),
);
type ConfigFile = z.output<typeof ConfigFile>;

const FLAGS: { readonly [Key in keyof Settings]?: string } = {
  store: '--store',
  host: '--host',
  port: '--port',
  timeout: '--timeout',
  allowedHosts: '--allow-host',
  logLevel: '--log-level',
  context: '--context',
};

/** The first variable that is set counts. */
const VARIABLES: { readonly [Key in keyof Settings]?: readonly string[] } = {
  store: ['BECKON_STORE'],
  host: ['BECKON_HOST'],
  port: ['BECKON_PORT'],
  timeout: ['BECKON_TIMEOUT_SECONDS', 'LEASHD_APPROVAL_TIMEOUT_SECONDS'],
  context: ['BECKON_CONTEXT'],
  token: ['BECKON_TOKEN'],
  apiUrl: ['BECKON_API_URL'],
  apiToken: ['BECKON_API_TOKEN'],
  apiSecret: ['BECKON_API_SECRET'],
  callbackHost: ['AI_CALLBACK_HOST'],
  callbackUrl: ['CODE_MY_SPEC_CALLBACK_URL'],
  sessionId: ['CODE_MY_SPEC_SESSION_ID'],
};

/** Reads every setting: flags before environment before files before defaults. Throws for the first wrong one. */
export function loadConfig(sources: ConfigSources = {}): Config {
  const { config, problems } = readConfig(sources);
  const [problem] = problems;
  if (problem !== undefined) throw problem;
  return config;
}

/** The same, but lists every wrong setting instead of throwing, and treats it as not set. For `beckon doctor`. */
export function readConfig(sources: ConfigSources = {}): { config: Config; problems: BeckonError[] } {
  const { flags = {}, env = process.env, cwd = process.cwd() } = sources;
  const problems: BeckonError[] = [];
  const tryTo = <Result>(read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      problems.push(error);
      return undefined;
    }
  };
  const home: Setting<string> = { value: toHome(env, cwd), from: env['BECKON_HOME'] ? 'BECKON_HOME' : 'default' };
  const files = [...new Set([join(cwd, HOME_FILES.config), toHomeFile(home.value, 'config')])].flatMap((path) => {
    const values = tryTo(() => readConfigFile(path));
    return values === undefined ? [] : [{ path, values }];
  });
  const find = <Key extends keyof Settings>(key: Key): Setting<Settings[Key]> | undefined => {
    const typed = flags[key];
    const named = FLAGS[key] ?? key;
    const flag = typed === undefined ? undefined : tryTo(() => ({ value: parseText(key, typed, named), from: named }));
    if (flag !== undefined) return flag;
    for (const name of VARIABLES[key] ?? []) {
      const text = env[name];
      const found = text ? tryTo(() => ({ value: parseText(key, text, name), from: name })) : undefined;
      if (found !== undefined) return found;
    }
    for (const { path, values } of files) {
      // A project must not decide what is sent about the work on it.
      if (key === 'context' && path !== toHomeFile(home.value, 'config')) continue;
      const value = (values as Partial<Settings>)[key];
      if (value !== undefined) return { value: value as Settings[Key], from: path };
    }
    return undefined;
  };
  const orDefault = <Key extends keyof Settings>(key: Key, value: Settings[Key]): Setting<Settings[Key]> =>
    find(key) ?? { value, from: 'default' };
  const found = find('store');
  const config: Config = {
    home,
    // A relative path starts at the file or folder where it was written.
    store:
      found === undefined
        ? { value: `sqlite:${toHomeFile(home.value, 'database')}`, from: 'default' }
        : {
            ...found,
            value: toAbsoluteStore(found.value, found.from.endsWith(HOME_FILES.config) ? dirname(found.from) : cwd),
          },
    host: orDefault('host', DEFAULT_HOST),
    port: orDefault('port', DEFAULT_PORT),
    timeout: orDefault('timeout', DEFAULT_TIMEOUT_SECONDS),
    allowedHosts: orDefault('allowedHosts', []),
    logLevel: orDefault('logLevel', 'info'),
    context: orDefault('context', 'full'),
    token: orDefault('token', undefined),
    apiUrl: orDefault('apiUrl', undefined),
    apiToken: orDefault('apiToken', undefined),
    apiSecret: orDefault('apiSecret', undefined),
    callbackHost: orDefault('callbackHost', undefined),
    callbackUrl: orDefault('callbackUrl', undefined),
    sessionId: orDefault('sessionId', undefined),
  };
  return { config, problems };
}

/** Whether a setting comes from a config file outside the home: somebody else may have written that file. */
export function isForeign({ from }: Setting<unknown>, home: Setting<string>): boolean {
  return from.endsWith(HOME_FILES.config) && from !== toHomeFile(home.value, 'config');
}

/** The path of a SQLite store; `null` if the store is not a file. */
export function toSqlitePath(text: string): string | null {
  const path = text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : null;
  return path === ':memory:' ? null : path;
}

/** A store as it may be shown: a Postgres URL without its password. */
export function toShownStore(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/[^/@:]*):[^@]*@/, '$1:***@').replaceAll(/([?&]password=)[^&]*/g, '$1***');
}

/** A timeout as people type it: seconds, a duration such as `10m`, or `never`. */
export function parseTimeout(text: string, what: string): Duration | null {
  return parseText('timeout', text, what);
}

function parseText<Key extends keyof Settings>(
  key: Key,
  text: string | readonly string[],
  what: string,
): Settings[Key] {
  const schema: z.ZodMiniType<unknown> = key === 'timeout' ? TYPED_TIMEOUT : SCHEMAS[key];
  return parse(schema, toTyped(key, text), { what }) as Settings[Key];
}

function toTyped(key: keyof Settings, text: string | readonly string[]): unknown {
  if (typeof text !== 'string') return text;
  if (key === 'port') return toTypedPort(text);
  if (key !== 'timeout') return text;
  if (text === 'never') return null;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function readConfigFile(path: string): ConfigFile | undefined {
  const text = readConfigText(path);
  if (text === undefined) return undefined;
  return parse(
    ConfigFile,
    parseJson(text, (reason) => `${path} is not JSON: ${reason}`),
    { what: path },
  );
}

function readConfigText(path: string): string | undefined {
  try {
    return readIfThere(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BeckonError('invalid_input', `${path} cannot be read (${code}). Repair it, or remove it.`, {
      cause: error,
    });
  }
}

function isStore(text: string): boolean {
  return /^sqlite:.|^postgres(?:ql)?:\/\/./.test(text);
}

function toAbsoluteStore(text: string, folder: string): string {
  const path = toSqlitePath(text);
  return path === null ? text : `sqlite:${resolve(folder, path)}`;
}
