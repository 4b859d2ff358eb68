import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { createCallbackUrls } from '../callback/callback-urls.ts';
import type { Beckon } from '../core/beckon.ts';
import { toIso } from '../core/clock.ts';
import type { ContextLevel } from '../core/context-level.ts';
import type { Store } from '../core/store.ts';
import { isLoopback, toReachable, toUrl } from '../machine/address.ts';
import { LISTEN_BACKLOG } from '../machine/listen-backlog.ts';
import { openVapidKeys } from '../notify/vapid-keys.ts';
import { openStore } from '../open-store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { Attendance } from '../runtime/attendance.ts';
import { Devices } from '../runtime/devices.ts';
import { HistoryIndexer } from '../runtime/history-indexer.ts';
import { LocalBeckon } from '../runtime/local-beckon.ts';
import { LocalHistory } from '../runtime/local-history.ts';
import { LocalMachines } from '../runtime/local-machines.ts';
import { LocalRules } from '../runtime/local-rules.ts';
import { LocalTimePolicies } from '../runtime/local-time-policies.ts';
import { newId, newRuleId } from '../runtime/new-id.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { Tokens } from '../runtime/tokens.ts';
import { createApp } from '../server/app.ts';
import { createMetrics, type Metrics } from '../server/metrics.ts';
import { DaemonBridge, type DaemonBridgeOptions } from './daemon-bridge.ts';
import { createDaemonCodex, type DaemonCodexOptions } from './daemon-codex.ts';
import { DaemonNotify, type DaemonNotifyOptions } from './daemon-notify.ts';
import { createHandleMcp } from './handle-mcp.ts';
import { createHookEngines } from './hook-engines.ts';
import { createSettleSpooled } from './settle-spooled.ts';
import { whenUp } from './when-up.ts';

/** How long a stop may take until connections are cut. */
const STOP_MS = 4000;

/** Settings of a daemon. */
export interface DaemonOptions {
  store: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The timeout of a request that names none, in milliseconds; `null` never times out. */
  timeoutMs: number | null;
  /** How much of what surrounds a request is kept. Default: all of it. */
  contextLevel?: ContextLevel;
  /** Host names that requests may use, besides loopback and `host`. */
  allowedHosts: readonly string[];
  /** Signs the addresses of callbacks. Default: a random one, so addresses end with this process. */
  callbackSecret?: string;
  /** The host in the addresses of callbacks, if people reach this machine under another name. */
  callbackHost?: string | undefined;
  /** The address for people and programs elsewhere, without a slash at its end. */
  publicUrl?: string | undefined;
  /** The address for other machines, if they can reach a server on this port. */
  networkUrl?: (port: number) => string | undefined;
  /** Addresses of proxies whose `X-Forwarded-…` headers count. */
  trustedProxies?: readonly string[];
  /** The certificate and the key, if it has TLS itself. */
  tls?: { cert: string; key: string } | undefined;
  version: string;
  /** The folder of the built page. */
  pageFolder?: string;
  logger: FastifyBaseLogger;
  /** Ends a start that waits for the store's server. */
  signal?: AbortSignal | undefined;
  bridge?: DaemonBridgeOptions;
  notify?: DaemonNotifyOptions;
  /** The Codex whose requests people are asked. Default: none. */
  codex?: DaemonCodexOptions | undefined;
}

/** A running daemon. */
export interface Daemon {
  url: string;
  beckon: Beckon;
  tokens: Tokens;
  devices: Devices;
  /** Shows another certificate from the next connection on. Only for a daemon that has TLS itself. */
  renewTls(tls: { cert: string; key: string }): void;
  /** Takes no more requests, ends open ones, and writes everything to disk. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts Beckon with its HTTP server in this process, once the store can be reached. If the start fails, nothing stays
 * open.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { logger } = options;
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, 'a failure in the background; Beckon tries again');
  const store = await whenUp(() => openStore(options.store, { onError }), {
    signal: options.signal,
    onWait: ({ cause }, limitMs) => {
      const { message, code } = cause as NodeJS.ErrnoException;
      logger.warn(
        `The database cannot be reached yet (${message || code}). Waiting for it, up to ${limitMs / 1000} seconds.`,
      );
    },
  });
  const metrics = createMetrics(store);
  store.onCommit((commit) => metrics.observeCommit(commit));
  let url = '';
  const { timeoutMs, contextLevel } = options;
  const beckon = new LocalBeckon({ store, clock: systemClock, newId, timeoutMs, contextLevel, onError });
  const devices = new Devices({ devices: store.devices, clock: systemClock });
  const { bridge, notify } = await createParts(options, {
    store,
    metrics,
    beckon,
    logins: devices,
    baseUrl: () => options.publicUrl ?? url,
  });
  const indexer = new HistoryIndexer({ store, clock: systemClock, onError });
  const tokens = new Tokens({ tokens: store.tokens, clock: systemClock });
  const attendance = new Attendance({ store, clock: systemClock, onError });
  const codex = options.codex && createDaemonCodex(options.codex, { beckon, tokens, version: options.version, logger });
  const engines = await createHookEngines({
    beckon,
    sink: bridge.ports.sink,
    attendance,
    onError: (error, title) => logger.warn({ err: error }, `a hook that cannot be asked; ${title} goes on by itself`),
    // Hooks come first, and would hide from the connector what Codex asks.
    isCovered: (agent, sessionId) => agent === 'codex' && codex?.hasThread(sessionId) === true,
  });
  const { spool } = options.bridge ?? {};
  // The spool is in the home, beside the tokens.
  const onTaken =
    spool === undefined ? undefined : createSettleSpooled({ engines, tokens, logger, home: dirname(spool) });
  const app = await createApp({
    beckon,
    checkToken: (token) => tokens.check(token),
    logins: devices,
    machines: new LocalMachines({ store, tokens, clock: systemClock }),
    history: ({ name, chatId }) => new LocalHistory({ store, clock: systemClock, who: name, chatId }),
    rules: (caller) => new LocalRules({ store, clock: systemClock, newId: newRuleId, caller }),
    timePolicies: (caller) => new LocalTimePolicies({ store, clock: systemClock, caller }),
    destinations: (caller) => notify.destinationsOf(caller),
    checkWrites: () => store.checkWrites(),
    bridge: bridge.ports,
    agentHooks: new Map(engines.map((engine) => [engine.path, engine])),
    handleMcp: createHandleMcp({ beckon, version: options.version }),
    metrics,
    logger,
    identity: { name: 'beckon', version: options.version, pid: process.pid },
    hosts: [
      options.host,
      ...options.allowedHosts,
      ...(options.callbackHost === undefined ? [] : [options.callbackHost]),
    ],
    wayIn: {
      publicUrl: options.publicUrl,
      trustedProxies: options.trustedProxies,
      networkUrl: () => options.networkUrl?.(Number(new URL(url).port)),
    },
    tls: options.tls,
    ...(options.pageFolder !== undefined && { pageFolder: options.pageFolder }),
    callbackUrls: createCallbackUrls({
      secret: options.callbackSecret ?? randomBytes(32).toString('base64url'),
      isExpiring: !isLoopback(options.host) || !isLoopback(options.callbackHost ?? options.host),
      host: options.publicUrl === undefined ? options.callbackHost : undefined,
    }),
  });
  try {
    await beckon.start();
    await attendance.start();
    await bridge.start(onTaken);
    await app.listen({ host: options.host, port: options.port, backlog: LISTEN_BACKLOG });
    const { port } = app.server.address() as AddressInfo;
    url = toUrl(toReachable(options.host), port, options.tls === undefined ? 'http' : 'https');
    // Only now is it known what links begin with.
    await notify.start();
    await bridge.accept();
  } catch (error) {
    await app.close();
    await bridge.stop();
    await notify.stop();
    await attendance.stop();
    await beckon.close();
    throw toListenError(error, options);
  }
  indexer.start();
  codex?.start();
  const stop = async (): Promise<void> => {
    const cut = setTimeout(() => app.server.closeAllConnections(), STOP_MS);
    try {
      // Hooks that still arrive are kept, and sent after the next start.
      await Promise.all([app.close(), bridge.stop(), notify.stop(), codex?.stop()]);
      await Promise.all(engines.map((engine) => engine.close()));
    } finally {
      clearTimeout(cut);
      await indexer.stop();
      await attendance.stop();
      await beckon.close();
    }
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    beckon,
    tokens,
    devices,
    renewTls: ({ cert, key }) => (app.server as unknown as TlsServer).setSecureContext({ cert, key }),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function createParts(
  { bridge = {}, notify = {}, logger }: DaemonOptions,
  parts: { store: Store; metrics: Metrics; beckon: Beckon; logins: Devices; baseUrl: () => string },
): Promise<{ bridge: DaemonBridge; notify: DaemonNotify }> {
  const { store, metrics } = parts;
  try {
    const at = toIso(systemClock.now());
    const replySecret = await store.secrets.keep({
      name: 'ntfy replies',
      value: randomBytes(32).toString('base64url'),
      at,
    });
    const vapidKeys = await openVapidKeys(store.secrets, at);
    return {
      bridge: new DaemonBridge({ store, metrics, logger, options: bridge }),
      notify: new DaemonNotify({ ...parts, clock: systemClock, logger, replySecret, vapidKeys, options: notify }),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function toListenError(error: unknown, { host, port }: DaemonOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new BeckonError(
      'address_in_use',
      `Port ${port} on ${host} is taken. Choose another with --port, or --port 0 for any.`,
      {
        cause: error,
      },
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new BeckonError(
      'address_in_use',
      `Beckon cannot listen on ${host} port ${port} (${String(code)}). Choose another with --host and --port.`,
      {
        cause: error,
      },
    );
  }
  return error;
}
