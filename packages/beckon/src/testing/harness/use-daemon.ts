import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach } from 'vitest';
import { type ConnectBeckonOptions, connectBeckon } from '../../connect-beckon.ts';
import type { Beckon } from '../../core/beckon.ts';
import { type Daemon, startDaemon } from '../../daemon/daemon.ts';
import type { Role } from '../../protocol/token.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** A real daemon on a file of its own, which may stop and come back at the same address. */
export interface TestDaemon {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  createToken(name: string, role: Role): Promise<string>;
  /** Connects with the token of an admin, by itself or through another address. Closed after the test. */
  connect(options?: Partial<ConnectBeckonOptions> & { url?: string }): Beckon;
}

/** Both ways to a daemon. What holds for one must hold for the other. */
export const TRANSPORTS = ['auto', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** For each test around it a daemon that runs, and clients that reach it this way unless they say otherwise. */
export function useDaemon(transport: Transport = 'http'): TestDaemon {
  let folder: string;
  let daemon: Daemon;
  let token: string;
  let beckons: Beckon[];
  const start = async (port: number): Promise<void> => {
    daemon = await startOn(`sqlite:${join(folder, 'beckon.db')}`, port);
  };
  beforeEach(async () => {
    folder = createTemporaryFolder('beckon-client-');
    beckons = [];
    await start(0);
    token = await daemon.tokens.create({ name: 'admin', role: 'admin' });
  });
  afterEach(async () => {
    await Promise.all(beckons.map((beckon) => beckon.close()));
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      return daemon.url;
    },
    start: () => start(Number(new URL(daemon.url).port)),
    stop: () => daemon.stop(),
    createToken: (name, role) => daemon.tokens.create({ name, role }),
    connect: ({ url = daemon.url, ...options } = {}) => {
      const beckon = connectBeckon(url, { token, transport, ...options });
      beckons.push(beckon);
      return beckon;
    },
  };
}

/** Starts a daemon in this process, without a word on the terminal. */
export function startOn(store: string, port = 0): Promise<Daemon> {
  return startDaemon({
    store,
    host: '127.0.0.1',
    port,
    timeoutMs: 300_000,
    allowedHosts: [],
    version: '0.0.0',
    logger: pino({ level: 'silent' }),
  });
}
