import type { Command } from 'commander';
import { type ConnectBeckonOptions, connectBeckon } from '../client/connect-beckon.ts';
import type { ConnectOptions } from '../client/settings.ts';
import type { Beckon } from '../core/beckon.ts';
import { type Config, loadConfig } from '../daemon/config.ts';
import { probe } from '../daemon/health.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type FoundBeckon, findBeckon, type WhereFlags } from '../where/find-beckon.ts';
import { createPinnedFetch } from '../where/pinned-fetch.ts';
import { requireToken } from '../where/require-token.ts';
import { explainForbidden } from './only-asks.ts';

/** The options of every command that talks to Beckon. */
export interface ClientOptions {
  url?: string;
  profile?: string;
  host?: string;
  port?: string;
  json?: boolean;
}

/** What the client of any part of Beckon's API is made with, as in `connectHistory(url, access)`. */
export interface Connection {
  url: string;
  access: Pick<ConnectOptions, 'fetch'> & { token: string };
}

/** How long a failed call is retried. A wait that has begun goes on as long as it has to. */
export const RETRY_SECONDS = 2;

/** Adds the options of every command that talks to Beckon. */
export function addClientOptions(command: Command): Command {
  return addAddressOptions(command).option('--json', 'print JSON');
}

/** Adds the options that say where Beckon is, for a command without `--json`. */
export function addAddressOptions(command: Command): Command {
  return command
    .option('--url <url>', 'the Beckon to use, such as https://beckon.example.com')
    .option('--profile <name>', 'a Beckon that you are logged in to, or "local" (see: beckon login)')
    .option('--host <host>', 'where Beckon runs (default: this machine)')
    .option('--port <number>', 'its port (default: 8228)');
}

/** The options that say where Beckon is, and nothing else. */
export function toWhereFlags({ url, profile, host, port }: ClientOptions): WhereFlags {
  return { url, profile, host, port };
}

/**
 * Connects to Beckon, runs the work, and always closes the connection. `onError` hears of each failure that a wait or a
 * stream of events survives, `contextLevel` limits what is sent.
 */
export async function withBeckon<Result>(
  options: ClientOptions,
  work: (beckon: Beckon, config: Config, connection: Connection) => Promise<Result>,
  own: Pick<ConnectBeckonOptions, 'onError' | 'contextLevel'> = {},
): Promise<Result> {
  const found = findBeckon({ flags: toWhereFlags(options) });
  const config = loadConfig();
  const connection = await connect(found);
  const beckon = connectBeckon(connection.url, {
    ...connection.access,
    retryFor: RETRY_SECONDS,
    ...own,
  });
  try {
    return await work(beckon, config, connection);
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'unauthorized') throw toRefusedToken(found, error);
    throw explainForbidden(error, found.url);
  } finally {
    await beckon.close();
  }
}

/** What to connect with. Throws if there is no token; if that is because Beckon does not run here, it says so. */
export async function connect(found: FoundBeckon): Promise<Connection> {
  const { url, isOwn, token, certificates, home } = found;
  if (token === undefined && isOwn && (await probe(url, certificates)).kind !== 'beckon') {
    throw new BeckonError('unreachable', `Beckon is not running at ${url}. Start it with: beckon up`);
  }
  const fetch = certificates === undefined ? undefined : createPinnedFetch(home);
  return { url, access: { token: requireToken(found), fetch } };
}

function toRefusedToken({ url, profile, tokenFrom }: FoundBeckon, cause: BeckonError): BeckonError {
  const isKept = profile !== undefined && tokenFrom !== 'BECKON_TOKEN';
  const next = isKept
    ? `Log in again with: beckon login ${url} --profile ${profile}`
    : 'Run "beckon doctor" for details.';
  return new BeckonError('unauthorized', `Beckon rejected the token from ${tokenFrom}. ${next}`, { cause });
}
