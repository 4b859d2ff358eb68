import { readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { type Level, pino } from 'pino';
import { createHookSink } from '../../../bridge/hook-sink.ts';
import type { Caller } from '../../../core/access.ts';
import { toIso } from '../../../core/clock.ts';
import { DaemonNotify, type DaemonNotifyOptions } from '../../../daemon/daemon-notify.ts';
import { createHandleMcp } from '../../../daemon/handle-mcp.ts';
import { createHookEngines } from '../../../daemon/hook-engines.ts';
import { openVapidKeys } from '../../../notify/vapid-keys.ts';
import { openStore } from '../../../open-store.ts';
import { Attendance } from '../../../runtime/attendance.ts';
import { Devices } from '../../../runtime/devices.ts';
import { LocalBeckon } from '../../../runtime/local-beckon.ts';
import { LocalHistory } from '../../../runtime/local-history.ts';
import { LocalMachines } from '../../../runtime/local-machines.ts';
import { LocalRules } from '../../../runtime/local-rules.ts';
import { LocalTimePolicies } from '../../../runtime/local-time-policies.ts';
import { newHookId, newId, newRuleId } from '../../../runtime/new-id.ts';
import { systemClock } from '../../../runtime/system-clock.ts';
import { Tokens } from '../../../runtime/tokens.ts';
import { type AppOptions, type BridgePorts, createApp } from '../../../server/app.ts';
import { createMetrics } from '../../../server/metrics.ts';
import type { SqlStore } from '../../../store/sql-store.ts';

import { createTemporaryFolder } from '../temporary-folder.ts';

/** A token for each role, and one of each that is for the chat `team` alone. */
const CALLERS = {
  agent: { name: 'builder', role: 'agent' },
  otherAgent: { name: 'reviewer', role: 'agent' },
  person: { name: 'ana', role: 'person' },
  admin: { name: 'root', role: 'admin' },
  teamAgent: { name: 'team-builder', role: 'agent', chatId: 'team' },
  teamPerson: { name: 'team-ana', role: 'person', chatId: 'team' },
  teamAdmin: { name: 'team-root', role: 'admin', chatId: 'team' },
} as const satisfies Record<string, Caller>;
export type TokenName = keyof typeof CALLERS;

/** The whole server on its own store, with the same parts as in the daemon. */
export interface TestApp {
  readonly folder: string;
  readonly app: FastifyInstance;
  readonly beckon: LocalBeckon;
  readonly store: SqlStore;
  readonly issuedTokens: Tokens;
  readonly devices: Devices;
  /** Tells people, once a test starts it. */
  readonly notify: DaemonNotify;
  readonly attendance: Attendance;
  readonly tokens: Readonly<Record<TokenName, string>>;
  readonly databasePath: string;
  /** Every line that was logged, as JSON. */
  readonly logs: readonly string[];
  /** Sends a request without a socket. `as` names the token. */
  send(as: TokenName, method: string, url: string, body?: unknown): Promise<TestReply>;
  /** Sends a request without a socket, exactly as given. */
  inject(options: InjectOptions): Promise<TestReply>;
  /** Listens on a free port and returns the address. */
  listen(host?: string): Promise<string>;
  /** Ends everything and keeps the database, as a restart does. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** A reply with its JSON, where it has one. */
export interface TestReply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into many shapes
  body: any;
}

/** Starts the parts. `folder` of an earlier one continues on its store. */
export async function createTestApp(
  options: Partial<Omit<AppOptions, 'bridge'>> & {
    bridge?: Partial<BridgePorts>;
    folder?: string;
    level?: Level;
    timeoutMs?: number | null;
    notify?: DaemonNotifyOptions;
    /** How long an agent may stay away. */
    awayMs?: number;
  } = {},
  /** Adds routes of the test's own. */
  addRoutes: (app: FastifyInstance) => void = () => undefined,
): Promise<TestApp> {
  const { bridge, ...own } = options;
  const folder = options.folder ?? createTemporaryFolder('beckon-server-');
  const databasePath = join(folder, 'beckon.db');
  const logs: string[] = [];
  const logger = pino({ level: options.level ?? 'trace' }, { write: (line: string) => void logs.push(line) });
  const store = await openStore(`sqlite:${databasePath}`);
  const metrics = createMetrics(store);
  store.onCommit((commit) => metrics.observeCommit(commit));
  const beckon = new LocalBeckon({
    store,
    clock: systemClock,
    newId,
    timeoutMs: options.timeoutMs === undefined ? 300_000 : options.timeoutMs,
    onError: (error) => logger.warn({ err: error }, 'in the background'),
  });
  const issuedTokens = new Tokens({ tokens: store.tokens, clock: systemClock });
  const devices = new Devices({ devices: store.devices, clock: systemClock });
  let url = 'http://127.0.0.1:8228';
  const sink = createHookSink({ hooks: store.hooks, clock: systemClock, newId: newHookId, destination: TEST_BACKEND });
  const notify = new DaemonNotify({
    store,
    clock: systemClock,
    metrics,
    logger,
    baseUrl: () => url,
    beckon,
    logins: devices,
    replySecret: 'a secret',
    vapidKeys: await openVapidKeys(store.secrets, toIso(systemClock.now())),
    options: options.notify ?? {},
  });
  const attendance = new Attendance({
    store,
    clock: systemClock,
    onError: (error) => logger.warn({ err: error }, 'in the background'),
    ...(options.awayMs !== undefined && { awayMs: options.awayMs }),
  });
  const engines = await createHookEngines({ beckon, sink, attendance });
  const app = await createApp({
    beckon,
    checkToken: (token) => issuedTokens.check(token),
    logins: devices,
    machines: new LocalMachines({ store, tokens: issuedTokens, clock: systemClock }),
    history: ({ name, chatId }) => new LocalHistory({ store, clock: systemClock, who: name, chatId }),
    rules: (caller) => new LocalRules({ store, clock: systemClock, newId: newRuleId, caller }),
    timePolicies: (caller) => new LocalTimePolicies({ store, clock: systemClock, caller }),
    destinations: (caller) => notify.destinationsOf(caller),
    checkWrites: () => store.checkWrites(),
    agentHooks: new Map(engines.map((engine) => [engine.path, engine])),
    handleMcp: createHandleMcp({ beckon, version: '1.2.3' }),
    bridge: {
      sink,
      hooks: store.hooks,
      outbox: store.outbox,
      newHookId,
      destination: TEST_BACKEND,
      onChange: () => undefined,
      ...bridge,
    },
    metrics,
    logger,
    identity: { name: 'beckon', version: '1.2.3', pid: process.pid },
    hosts: [],
    ...own,
  });
  addRoutes(app);
  await beckon.start();
  await attendance.start();
  await app.ready();
  const tokens = options.folder === undefined ? await createTokens(issuedTokens) : await readTokens(folder);
  await writeFile(toTokensPath(folder), JSON.stringify(tokens));

  const inject = async (request: InjectOptions): Promise<TestReply> => {
    const reply = await app.inject({ ...request, headers: { host: TEST_HOST, ...request.headers } });
    const isJson = String(reply.headers['content-type']).includes('json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.body,
      body: isJson ? JSON.parse(reply.body) : undefined,
    };
  };
  const stop = async (): Promise<void> => {
    await app.close();
    await notify.stop();
    await attendance.stop();
    await beckon.close();
  };
  return {
    folder,
    app,
    beckon,
    store,
    issuedTokens,
    devices,
    notify,
    attendance,
    tokens,
    databasePath,
    logs,
    inject,
    send: (as, method, path, body) =>
      inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: `Bearer ${tokens[as]}` },
        ...(body !== undefined && { payload: body as object }),
      }),
    listen: async (host = '127.0.0.1') => {
      await app.listen({ host, port: 0 });
      const { port } = app.server.address() as AddressInfo;
      url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      return url;
    },
    stop,
    dispose: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type TokenTexts = Record<TokenName, string>;

async function createTokens(issuedTokens: Tokens): Promise<TokenTexts> {
  const tokens = Object.entries(CALLERS).map(
    async ([name, caller]) => [name, await issuedTokens.create(caller)] as const,
  );
  return Object.fromEntries(await Promise.all(tokens)) as TokenTexts;
}

// After a restart the earlier tokens are still valid.
async function readTokens(folder: string): Promise<TokenTexts> {
  return JSON.parse(await readFile(toTokensPath(folder), 'utf8')) as TokenTexts;
}

function toTokensPath(folder: string): string {
  return join(folder, 'tokens.json');
}

/** The host that requests without a socket name. */
export const TEST_HOST = '127.0.0.1:8228';

/** Where hooks are to be forwarded. Nobody does. */
export const TEST_BACKEND = 'https://team.example';

/** The smallest ask. */
export const QUESTION = { kind: 'question', request: { question: 'Deploy?' } } as const;
