import type { Command } from 'commander';
import { connectBeckon } from '../client/connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import { type Config, isForeign, loadConfig } from '../daemon/config.ts';
import { findDaemon, toStatePath } from '../daemon/daemon-state.ts';
import { probe } from '../daemon/health.ts';
import { readTokenFile, toTokenPath } from '../daemon/token-file.ts';
import { isLoopback, toReachable, toUrl } from '../machine/address.ts';
import { BeckonError } from '../protocol/errors.ts';

/** What every command that talks to a Beckon takes. */
export interface ClientOptions {
  host?: string;
  port?: string;
  json?: boolean;
}

/** How long a call is tried again before the command gives up. A wait that has begun goes on as long as it has to. */
export const RETRY_SECONDS = 2;

/** Adds the options that every command has that talks to a Beckon. */
export function addClientOptions(command: Command): Command {
  return addAddressOptions(command).option('--json', 'print JSON');
}

/** Adds the options that say where Beckon is, for a command whose output has a form of its own. */
export function addAddressOptions(command: Command): Command {
  return command
    .option('--host <host>', 'where Beckon runs (default: the one that runs on this machine)')
    .option('--port <number>', 'its port (default: 8228)');
}

/** Connects to Beckon, runs the work, and lets go of the connection, whatever happens. */
export async function withBeckon<Result>(
  options: ClientOptions,
  work: (beckon: Beckon, config: Config, connection: { url: string; token: string }) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ flags: { host: options.host, port: options.port } });
  const url = await findUrl(config);
  const token = await findToken(config, url);
  const beckon = connectBeckon(url, { token, retryFor: RETRY_SECONDS });
  try {
    return await work(beckon, config, { url, token });
  } catch (error) {
    throw error instanceof BeckonError && error.code === 'unauthorized' ? toRefusedToken(config, error) : error;
  } finally {
    await beckon.close();
  }
}

/** Where Beckon is: as set, else the daemon that runs from this home, else the default. */
export async function findUrl({ home, host, port }: Config): Promise<string> {
  if (host.from !== 'default' || (port.from !== 'default' && port.value !== 0)) {
    refuseForeignHost({ host, home });
    return toUrl(toReachable(host.value), port.value);
  }
  const found = await findDaemon(toStatePath(home.value));
  if (found?.state.url !== undefined && found.liveness !== 'gone') return found.state.url;
  return toUrl(host.value, port.value);
}

/** The token to come in with. The token file belongs to this home's daemon, and is not sent to other machines. */
export async function findToken({ home, token, host }: Config, url: string): Promise<string> {
  if (token.value !== undefined) return token.value;
  const path = toTokenPath(home.value);
  if (!isLoopback(toReachable(host.value)) && !(await isOwnDaemon(home.value, url))) {
    throw new BeckonError(
      'unauthorized',
      `Set BECKON_TOKEN to a token of the Beckon on ${host.value}: ask whoever runs it.`,
    );
  }
  const found = readTokenFile(path);
  if (found !== undefined) return found;
  const { kind } = await probe(url);
  if (kind !== 'beckon') throw new BeckonError('unreachable', `No Beckon answers at ${url}. Start it with: beckon up`);
  throw new BeckonError(
    'unauthorized',
    `There is no token in ${path}. Set BECKON_TOKEN, or BECKON_HOME to the folder of the Beckon that runs at ${url}.`,
  );
}

// The daemon of this home may listen on an address of the network.
async function isOwnDaemon(home: string, url: string): Promise<boolean> {
  const found = await findDaemon(toStatePath(home));
  return found !== null && found.liveness !== 'gone' && found.state.url === url;
}

// A file in a folder that came from elsewhere must not send this user's token to another machine.
function refuseForeignHost({ host, home }: Pick<Config, 'host' | 'home'>): void {
  if (!isForeign(host, home) || isLoopback(toReachable(host.value))) return;
  throw new BeckonError(
    'invalid_input',
    `${host.from} names the host ${host.value}, which is another machine. Say that you mean it: set BECKON_HOST=${host.value}`,
  );
}

function toRefusedToken({ home, token }: Config, cause: BeckonError): BeckonError {
  const from = token.value === undefined ? toTokenPath(home.value) : token.from;
  return new BeckonError('unauthorized', `Beckon refuses the token of ${from}. "beckon doctor" says more.`, { cause });
}
