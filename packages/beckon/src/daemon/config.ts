import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { CONTEXT_LEVELS, type ContextLevel } from '../core/context-level.ts';
import { isAddressRange } from '../machine/address-ranges.ts';
import { readIfThere } from '../machine/private-file.ts';
import { parseBeckonUrl } from '../protocol/beckon-url.ts';
import { describeValue } from '../protocol/describe-value.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/limits.ts';
import { must, parse } from '../protocol/parse.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { DEFAULT_HOST, DEFAULT_PORT, HOME_FILES, toHome, toHomeFile } from '../where/home.ts';
import { EXPECTED, isHostName, isHostOrRange, isPort, isSecret, toTypedPort } from '../where/setting-rules.ts';

/** A setting and its origin: `--port`, `BECKON_PORT`, the path of a file, or `default`. */
interface Setting<Value> {
  value: Value;
  from: string;
}

const SWITCH = ['on', 'off'] as const;
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
  /** The address for people and programs elsewhere, without a slash at its end. Links carry it. */
  publicUrl: string | undefined;
  /** Addresses of proxies whose `X-Forwarded-…` headers count: addresses, ranges, or `loopback`. */
  trustedProxies: readonly string[];
  /** Files of the certificate and its key, if Beckon has TLS itself. */
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  /** Hosts and ranges inside the network that destinations may lead to. */
  allowDestinations: readonly string[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** How much of what surrounds a request is sent by hooks, and kept. */
  context: ContextLevel;
  /** Whether the daemon joins the sessions of Codex. */
  codex: (typeof SWITCH)[number];
  token: string | undefined;
  apiUrl: string | undefined;
  apiToken: string | undefined;
  apiSecret: string | undefined;
  /** The mail server, with its password. */
  smtpUrl: string | undefined;
  /** Whom mails come from. */
  mailFrom: string | undefined;
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

const HostName = z.string().check(must(EXPECTED.host, isHostName));
const HostOrRange = z
  .string()
  .check(must('a host name, an IP address or a range such as "10.1.0.0/16"', isHostOrRange));
const Url = z.string().check(must('an http or https URL', (url) => /^https?:\/\/[^\s]+$/.test(url)));
const PublicUrl = z.string().check(must('a URL such as "https://beckon.example.com"', isPublicUrl, describePublicUrl));
const AddressRange = z
  .string()
  .check(must('an IP address, a range such as "10.0.0.0/8", or "loopback"', isAddressRange));
const FilePath = z.string().check(must('the path of a file', (path) => path !== ''));
const Secret = z.string().check(must(EXPECTED.secret, isSecret, () => 'something else'));
const SmtpUrl = z.string().check(
  must(
    'a mail server such as "smtps://mail.example.com"',
    (url) => /^smtps?:\/\/\S+$/.test(url),
    () => 'another text',
  ),
);
const MailFrom = z
  .string()
  .check(
    must('a sender such as "Beckon <beckon@example.com>"', (from) =>
      /^(?:[^<>@\r\n]*<[^\s<>@]+@[\w.-]+>|[^\s<>@]+@[\w.-]+)$/.test(from),
    ),
  );

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
  port: z.number().check(must(EXPECTED.port, isPort)),
  timeout: createTimeout('null for no timeout'),
  allowedHosts: z.array(HostName),
  publicUrl: PublicUrl,
  trustedProxies: z.array(AddressRange),
  tlsCert: FilePath,
  tlsKey: FilePath,
  allowDestinations: z.array(HostOrRange),
  logLevel: z.enum(LOG_LEVELS),
  context: z.enum(CONTEXT_LEVELS),
  codex: z.enum(SWITCH),
  token: Secret,
  apiUrl: Url,
  apiToken: Secret,
  apiSecret: Secret,
  smtpUrl: SmtpUrl,
  mailFrom: MailFrom,
  callbackHost: HostName,
  callbackUrl: Url,
  sessionId: z.string(),
} satisfies { [Key in keyof Settings]: z.ZodMiniType };

/** A timeout as people type it, without null. */
const TYPED_TIMEOUT = createTimeout('"never"');

/** Secrets do not belong in a file that may end up in a repository. */
const { store, host, port, timeout, allowedHosts, logLevel, context, apiUrl, mailFrom, callbackHost } = SCHEMAS;
const { publicUrl, trustedProxies, tlsCert, tlsKey, allowDestinations, codex } = SCHEMAS;
const smtpUrl = SmtpUrl.check(
  must(
    'a mail server without user and password: set BECKON_SMTP_URL for those',
    (url) => !url.includes('@'),
    () => 'both',
  ),
);
const ConfigFile = z.partial(
  z.strictObject({
    store,
    host,
    port,
    timeout,
    allowedHosts,
    publicUrl,
    trustedProxies,
    tlsCert,
    tlsKey,
    allowDestinations,
    logLevel,
    context,
    codex,
    apiUrl,
    smtpUrl,
    mailFrom,
    callbackHost,
  }),
);
type ConfigFile = z.output<typeof ConfigFile>;

const FLAGS: { readonly [Key in keyof Settings]?: string } = {
  store: '--store',
  host: '--host',
  port: '--port',
  timeout: '--timeout',
  allowedHosts: '--allow-host',
  publicUrl: '--public-url',
  trustedProxies: '--trusted-proxy',
  tlsCert: '--tls-cert',
  tlsKey: '--tls-key',
  allowDestinations: '--allow-destination',
  logLevel: '--log-level',
  context: '--context',
};

/** A project decides neither what is sent about the work on it, nor where to. Mails carry login links. */
const ONLY_HOME: ReadonlySet<keyof Settings> = new Set([
  'context',
  'codex',
  'allowDestinations',
  'smtpUrl',
  'mailFrom',
]);

/** The first variable that is set counts. */
const VARIABLES: { readonly [Key in keyof Settings]?: readonly string[] } = {
  store: ['BECKON_STORE'],
  host: ['BECKON_HOST'],
  port: ['BECKON_PORT'],
  timeout: ['BECKON_TIMEOUT_SECONDS', 'LEASHD_APPROVAL_TIMEOUT_SECONDS'],
  allowDestinations: ['BECKON_ALLOW_DESTINATIONS'],
  context: ['BECKON_CONTEXT'],
  codex: ['BECKON_CODEX'],
  publicUrl: ['BECKON_PUBLIC_URL'],
  trustedProxies: ['BECKON_TRUSTED_PROXIES'],
  tlsCert: ['BECKON_TLS_CERT'],
  tlsKey: ['BECKON_TLS_KEY'],
  token: ['BECKON_TOKEN'],
  apiUrl: ['BECKON_API_URL'],
  apiToken: ['BECKON_API_TOKEN'],
  apiSecret: ['BECKON_API_SECRET'],
  smtpUrl: ['BECKON_SMTP_URL'],
  mailFrom: ['BECKON_MAIL_FROM'],
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
      if (ONLY_HOME.has(key) && path !== toHomeFile(home.value, 'config')) continue;
      const value = (values as Partial<Settings>)[key];
      if (value !== undefined) return { value: value as Settings[Key], from: path };
    }
    return undefined;
  };
  const orDefault = <Key extends keyof Settings>(key: Key, value: Settings[Key]): Setting<Settings[Key]> =>
    find(key) ?? { value, from: 'default' };
  // A relative path starts at the file or folder where it was written.
  const findPath = (key: 'store' | 'tlsCert' | 'tlsKey'): Setting<string> | undefined => {
    const found = find(key);
    if (found?.value === undefined) return undefined;
    const folder = found.from.endsWith(HOME_FILES.config) ? dirname(found.from) : cwd;
    const value = key === 'store' ? toAbsoluteStore(found.value, folder) : resolve(folder, found.value);
    return { value, from: found.from };
  };
  const unset = { value: undefined, from: 'default' };
  const shown = orDefault('publicUrl', undefined);
  const config: Config = {
    home,
    store: findPath('store') ?? { value: `sqlite:${toHomeFile(home.value, 'database')}`, from: 'default' },
    publicUrl: { ...shown, value: shown.value === undefined ? undefined : parseBeckonUrl(shown.value) },
    trustedProxies: orDefault('trustedProxies', []),
    tlsCert: findPath('tlsCert') ?? unset,
    tlsKey: findPath('tlsKey') ?? unset,
    host: orDefault('host', DEFAULT_HOST),
    port: orDefault('port', DEFAULT_PORT),
    timeout: orDefault('timeout', DEFAULT_TIMEOUT_SECONDS),
    allowedHosts: orDefault('allowedHosts', []),
    allowDestinations: orDefault('allowDestinations', []),
    logLevel: orDefault('logLevel', 'info'),
    context: orDefault('context', 'full'),
    codex: orDefault('codex', 'on'),
    token: orDefault('token', undefined),
    apiUrl: orDefault('apiUrl', undefined),
    apiToken: orDefault('apiToken', undefined),
    apiSecret: orDefault('apiSecret', undefined),
    smtpUrl: orDefault('smtpUrl', undefined),
    mailFrom: orDefault('mailFrom', undefined),
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
  if (key === 'allowDestinations') return text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (key === 'port') return toTypedPort(text);
  if (key === 'trustedProxies') return text.split(',').map((part) => part.trim());
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

// Links and cookies carry the path, so it has only characters that mean the same everywhere.
function isPublicUrl(text: string): boolean {
  try {
    return /^(?:\/[\w.~-]+)*$/.test(new URL(parseBeckonUrl(text)).pathname.replace(/\/$/, ''));
  } catch {
    return false;
  }
}

// It may have a password.
function describePublicUrl(text: string): string {
  return text.includes('@') ? 'something else' : describeValue(text);
}

function isStore(text: string): boolean {
  return /^sqlite:.|^postgres(?:ql)?:\/\/./.test(text);
}

function toAbsoluteStore(text: string, folder: string): string {
  const path = toSqlitePath(text);
  return path === null ? text : `sqlite:${resolve(folder, path)}`;
}
