import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { createCallbackUrls } from '../callback/callback-urls.ts';
import { openStore } from '../open-store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { LocalBeckon } from '../runtime/local-beckon.ts';
import { newId } from '../runtime/new-id.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { TokenBook } from '../runtime/token-book.ts';
import { createApp } from '../server/app.ts';
import { createMetrics } from '../server/metrics.ts';
import { isLoopback } from './health.ts';

/** How long a stop may take before connections are cut. */
const STOP_MS = 4000;

/** What a daemon is started with. */
export interface DaemonOptions {
  store: string;
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** The timeout of an ask that names none, in milliseconds; `null` waits for ever. */
  timeoutMs: number | null;
  /** Host names, beside loopback and `host`, that requests may name. */
  allowedHosts: readonly string[];
  /** Proves the addresses of callbacks. Default: a random one, so that they end with this process. */
  callbackSecret?: string;
  /** The host in the addresses of callbacks, where people reach it under another name. */
  callbackHost?: string | undefined;
  version: string;
  logger: FastifyBaseLogger;
}

/** A running daemon. */
export interface Daemon {
  url: string;
  tokens: TokenBook;
  /** Takes no more requests, ends what is held open, puts everything on disk. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts Beckon with its HTTP server in this process. Where the port is taken, nothing is left open. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { logger } = options;
  const store = await openStore(options.store);
  const metrics = createMetrics(store);
  store.onCommit((commit) => metrics.observeCommit(commit));
  const beckon = new LocalBeckon({
    store,
    clock: systemClock,
    newId,
    timeoutMs: options.timeoutMs,
    onError: (error) => logger.warn({ err: error }, 'a failure in the background; Beckon tries again'),
  });
  const tokens = new TokenBook({ tokens: store.tokens, clock: systemClock });
  let url = '';
  const app = await createApp({
    beckon,
    checkToken: (token) => tokens.check(token),
    newId,
    lastSeq: () => store.lastSeq(),
    metrics,
    logger,
    identity: { name: 'beckon', version: options.version, pid: process.pid },
    hosts: [
      options.host,
      ...options.allowedHosts,
      ...(options.callbackHost === undefined ? [] : [options.callbackHost]),
    ],
    baseUrl: () => url,
    callbackUrls: createCallbackUrls({
      secret: options.callbackSecret ?? randomBytes(32).toString('base64url'),
      isExpiring: !isLoopback(options.host) || !isLoopback(options.callbackHost ?? options.host),
      host: options.callbackHost,
    }),
  });
  try {
    await beckon.start();
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await app.close();
    await beckon.close();
    throw toListenError(error, options);
  }
  const { port } = app.server.address() as AddressInfo;
  url = toUrl(options.host, port);
  const stop = async (): Promise<void> => {
    const cut = setTimeout(() => app.server.closeAllConnections(), STOP_MS);
    try {
      await app.close();
    } finally {
      clearTimeout(cut);
      await beckon.close();
    }
  };
  let stopped: Promise<void> | undefined;
  return {
    url,
    tokens,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

// An address that means "all of this machine" cannot be called; loopback can.
function toUrl(host: string, port: number): string {
  const called = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`;
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
