import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { toCodexHome } from '../adapters/codex/index.ts';
import type { Beckon } from '../core/beckon.ts';
import { toReachable, toUrl } from '../machine/address.ts';
import { makePrivateFolder } from '../machine/private-file.ts';
import { toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { toHomeFile } from '../where/home.ts';
import { findBackend } from './backend-config.ts';
import { ensureCallbackSecret } from './callback-secret.ts';
import { type Config, toShownStore } from './config.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import {
  claimState,
  type DaemonState,
  findDaemon,
  releaseState,
  toHolderPath,
  toStatePath,
  updateState,
} from './daemon-state.ts';
import { listRemarks, refuseForeign } from './exposure.ts';
import { followTls } from './follow-tls.ts';
import { type Health, probe } from './health.ts';
import { watchLeft } from './left-watcher.ts';
import { findMail } from './mail-config.ts';
import { listAddresses, toNetworkUrl } from './network.ts';
import { findTlsFiles, loadTls, type Tls } from './tls.ts';
import { ensureTokenFile, readTokenFile, toTokenPath } from './token-file.ts';
import { readVersion } from './version.ts';

/** Where the page is built to. The path is the same from the sources and from the built package. */
const PAGE_FOLDER = fileURLToPath(new URL('../../dist/inbox', import.meta.url));

/** What a daemon reports once it accepts requests. */
export interface Ready {
  url: string;
  /** The address for other machines, if they can reach it. */
  networkUrl?: string;
  /** The address that a browser on this machine is sent to. */
  browserUrl: string;
  pid: number;
  version: string;
  store: string;
  home: string;
  tokenFile: string;
  /** What the person should know, such as a new token, or a network that can reach the daemon. */
  remarks: string[];
}

/** A daemon with its files in the home: the state for the other commands, and the token. */
export interface RunningDaemon {
  ready: Ready;
  beckon: Beckon;
  /** Creates the path of a one-time login link, for a browser of the token file's owner. */
  createLoginPath(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the daemon that the config describes. If that fails, or `signal` ends it, nothing is left behind. */
export async function runDaemon(config: Config, logger: Logger, signal?: AbortSignal): Promise<RunningDaemon> {
  const home = config.home.value;
  refuseForeign(config);
  makePrivateFolder(home);
  const state: DaemonState = {
    pid: process.pid,
    version: readVersion(),
    store: toShownStore(config.store.value),
    startedAt: new Date().toISOString(),
  };
  const claimed = await claim(config, state);
  const release = (): void => {
    for (const path of claimed) releaseState(path, process.pid);
  };
  let daemon: Daemon | undefined;
  try {
    const files = findTlsFiles(config);
    const tls = files && loadTls(files);
    const findNetworkUrl = (port: number): string | undefined =>
      toNetworkUrl({
        host: config.host.value,
        port,
        publicUrl: config.publicUrl.value,
        allowedHosts: config.allowedHosts.value,
        tlsNames: tls?.names,
      });
    const started = await start(config, { logger, signal, tls, networkUrl: findNetworkUrl });
    daemon = started;
    const { url } = started;
    const tokenFile = toTokenPath(home);
    const remarks = await ensureTokenFile(tokenFile, started.tokens);
    const networkUrl = findNetworkUrl(Number(new URL(url).port));
    const urls = { url, ...(networkUrl !== undefined && { networkUrl }) };
    const browserUrl = config.publicUrl.value ?? (tls === undefined ? url : (networkUrl ?? url));
    const tell = (certificates: string[]): void => {
      const current = { ...state, ...urls, ...(tls !== undefined && { certificates }) };
      for (const path of claimed) updateState(path, current);
    };
    tell(tls === undefined ? [] : [tls.fingerprint]);
    const unwatch =
      files && tls && followTls(files, tls, { renew: (renewed) => started.renewTls(renewed), tell, logger });
    const unwatchLeft = watchLeft(toHomeFile(home, 'waiting'), started.beckon, (error) =>
      logger.warn({ err: error }, 'requests of an agent that died are still open'),
    );
    remarks.push(...listRemarks(config, tls));
    const stop = async (): Promise<void> => {
      unwatch?.();
      unwatchLeft();
      try {
        await daemon?.stop();
      } finally {
        release();
      }
    };
    return {
      ready: {
        ...urls,
        browserUrl,
        pid: state.pid,
        version: state.version,
        store: state.store,
        home,
        tokenFile,
        remarks,
      },
      beckon: started.beckon,
      createLoginPath: () => createLoginPath(tokenFile, started),
      stop,
    };
  } catch (error) {
    await daemon?.stop();
    release();
    throw error;
  }
}

// The browser gets the name of the token, so "answered by" shows one name for both.
async function createLoginPath(tokenFile: string, { tokens, devices }: Daemon): Promise<string> {
  const owner = await tokens.check(readTokenFile(tokenFile) ?? '');
  if (owner === null) throw new BeckonError('unauthorized', `The token in ${tokenFile} is not valid any more.`);
  return `/login#${(await devices.createCode(owner)).code}`;
}

interface StartOptions {
  logger: Logger;
  signal: AbortSignal | undefined;
  tls: Tls | undefined;
  networkUrl: (port: number) => string | undefined;
}

async function start(config: Config, { logger, signal, tls, networkUrl }: StartOptions): Promise<Daemon> {
  const { host, port, timeout } = config;
  try {
    return await startDaemon({
      store: config.store.value,
      host: host.value,
      port: port.value,
      timeoutMs: timeout.value === null ? null : toMilliseconds(timeout.value),
      contextLevel: config.context.value,
      allowedHosts: [...config.allowedHosts.value, ...(tls?.names ?? []), ...listAddresses(host.value)],
      publicUrl: config.publicUrl.value,
      networkUrl,
      trustedProxies: config.trustedProxies.value,
      tls,
      callbackHost: config.callbackHost.value,
      callbackSecret: ensureCallbackSecret(config.home.value),
      version: readVersion(),
      pageFolder: PAGE_FOLDER,
      logger,
      signal,
      bridge: {
        backend: findBackend(config),
        secret: config.apiSecret.value,
        spool: toHomeFile(config.home.value, 'spool'),
      },
      codex:
        config.codex.value === 'off' ? undefined : { codexHome: toCodexHome(process.env), home: config.home.value },
      notify: { allowDestinations: config.allowDestinations.value, mail: findMail(config) },
    });
  } catch (error) {
    throw isTaken(error) ? await toTakenError(error, config) : error;
  }
}

/** Writes this daemon's state where others look for it. Throws if another daemon has the database file. */
async function claim(config: Config, state: DaemonState): Promise<string[]> {
  const claimed: string[] = [];
  const holderPath = toHolderPath(config.store.value);
  if (holderPath !== null) {
    const holder = await claimState(holderPath, state);
    if (holder !== null) throw await toHeldError(holder, config);
    claimed.push(holderPath);
  }
  // A second daemon of the same home, on another store, leaves this file to the first.
  const statePath = toStatePath(config.home.value);
  if ((await claimState(statePath, state)) === null) claimed.push(statePath);
  return claimed;
}

async function toHeldError({ pid, version, url, store }: DaemonState, config: Config): Promise<BeckonError> {
  const where = url === undefined ? 'starting' : `at ${url}`;
  return new BeckonError(
    'store_busy',
    `A Beckon (pid ${pid}, version ${version}, ${where}) has ${store} already. ` +
      `Use that one, stop it with ${await findStopCommand(pid, config)}, or choose another database with --store.`,
  );
}

/** How to stop a Beckon: "beckon down" looks only in its own home. */
async function findStopCommand(pid: number, { home }: Config): Promise<string> {
  const own = await findDaemon(toStatePath(home.value));
  return own?.state.pid === pid ? '"beckon down"' : '"beckon down" and the BECKON_HOME that it was started with';
}

function isTaken(error: unknown): error is BeckonError {
  const cause = error instanceof BeckonError && error.code === 'address_in_use' ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

async function toTakenError(error: BeckonError, config: Config): Promise<BeckonError> {
  const { host, port } = config;
  const health = await probeAny(toReachable(host.value), port.value);
  const holder =
    health.kind === 'beckon' ? `a Beckon (pid ${health.pid}, version ${health.version})` : 'another program';
  const use =
    health.kind === 'beckon'
      ? `Use that one, stop it with ${await findStopCommand(health.pid, config)}, or choose`
      : 'Choose';
  return new BeckonError(
    'address_in_use',
    `Port ${port.value} on ${host.value} is held by ${holder}. ${use} another port with --port, or --port 0 for any that is free.`,
    { cause: error },
  );
}

// Whoever holds the port may have TLS, with any certificate; nothing secret is sent.
async function probeAny(host: string, port: number): Promise<Health> {
  const health = await probe(toUrl(host, port));
  return health.kind === 'beckon' ? health : probe(toUrl(host, port, 'https'), 'any');
}
