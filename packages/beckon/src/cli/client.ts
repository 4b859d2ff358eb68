import type { Command } from 'commander';
import { connectBeckon } from '../client/connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import { type Config, isForeign, loadConfig } from '../daemon/config.ts';
import { findDaemon, toStatePath } from '../daemon/daemon-state.ts';
import { probe } from '../daemon/health.ts';
import { readTokenFile, toTokenPath } from '../daemon/token-file.ts';
import { isLoopback, toReachable, toUrl } from '../machine/address.ts';
import { BeckonError } from '../protocol/errors.ts';

/** The options of every command that talks to Beckon. */
export interface ClientOptions {
  host?: string;
  port?: string;
  json?: boolean;
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
    .option('--host <host>', 'where Beckon runs (default: this machine)')
    .option('--port <number>', 'its port (default: 8228)');
}

/** Connects to Beckon, runs the work, and always closes the connection. */
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

/** Finds Beckon: at the configured address, else where this home's daemon runs, else at the default. */
export async function findUrl({ home, host, port }: Config): Promise<string> {
  if (host.from !== 'default' || (port.from !== 'default' && port.value !== 0)) {
    refuseForeignHost({ host, home });
    return toUrl(toReachable(host.value), port.value);
  }
  const found = await findDaemon(toStatePath(home.value));
  if (found?.state.url !== undefined && found.liveness !== 'gone') return found.state.url;
  return toUrl(host.value, port.value);
}

/** Finds the token. The token file belongs to this machine's daemon, so it is never sent to another machine. */
export async function findToken({ home, token, host }: Config, url: string): Promise<string> {
  if (token.value !== undefined) return token.value;
  const path = toTokenPath(home.value);
  if (!isLoopback(toReachable(host.value)) && !(await isOwnDaemon(home.value, url))) {
    throw new BeckonError(
      'unauthorized',
      `There is no token for the Beckon on ${host.value}. Ask its owner for one, and set BECKON_TOKEN.`,
    );
  }
  const found = readTokenFile(path);
  if (found !== undefined) return found;
  const { kind } = await probe(url);
  if (kind !== 'beckon')
    throw new BeckonError('unreachable', `Beckon is not running at ${url}. Start it with: beckon up`);
  throw new BeckonError(
    'unauthorized',
    `There is no token in ${path}. Set BECKON_TOKEN, or set BECKON_HOME to the folder that the Beckon at ${url} uses.`,
  );
}

// The daemon of this home may listen on an address of the network.
async function isOwnDaemon(home: string, url: string): Promise<boolean> {
  const found = await findDaemon(toStatePath(home));
  return found !== null && found.liveness !== 'gone' && found.state.url === url;
}

// A config file in a downloaded folder must not send this user's token to another machine.
function refuseForeignHost({ host, home }: Pick<Config, 'host' | 'home'>): void {
  if (!isForeign(host, home) || isLoopback(toReachable(host.value))) return;
  throw new BeckonError(
    'invalid_input',
    `${host.from} points to another machine, ${host.value}. To send your token there, set BECKON_HOST=${host.value}`,
  );
}

function toRefusedToken({ home, token }: Config, cause: BeckonError): BeckonError {
  const from = token.value === undefined ? toTokenPath(home.value) : token.from;
  return new BeckonError('unauthorized', `Beckon rejected the token from ${from}. Run "beckon doctor" for details.`, {
    cause,
  });
}
