import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/beckon/src/testing/harness/post.ts';
import { startServer } from '../http/server-process.ts';
import { describePython, installFastApi, installPeer, type PeerName, readVersion } from './install.ts';
import { type Running, runAgents, runBesideDaemon } from './launch.ts';
import { startPostgresOnDisk } from './postgres.ts';
import { startRestate } from './restate-server.ts';

/** Where requests are kept: on disk before they are acknowledged, or in memory alone. */
export type Group = 'durable' | 'memory';

/** Somebody who takes part. */
export interface Contender {
  name: string;
  title: string;
  group: Group;
  /** What is set how, and where the agents, the people and the engine run: what a reader needs to judge the figure. */
  tuning: string;
  /** Brings it to this machine and gives its version. Throws if it cannot be had. */
  bring(): Promise<string>;
  /** Starts it with empty data in `folder`. */
  start(folder: string): Promise<Running>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Beckon is what this checkout has, and the simplest designs have no version. */
const here = async (): Promise<string> => '';

/** All of them, in the order of the tables. */
export const CONTENDERS: readonly Contender[] = [
  {
    name: 'beckon',
    title: 'Beckon in process, SQLite',
    group: 'durable',
    tuning:
      '`openBeckon` in the agents’ process, people too. As it ships: WAL, `synchronous=FULL`; changes that arrive ' +
      'together share a commit.',
    bring: here,
    start: (folder) =>
      runAgents({
        folder,
        program: new URL('./agents/beckon.ts', import.meta.url),
        args: [`sqlite:${join(folder, 'beckon.db')}`],
      }),
  },
  {
    name: 'beckon-callback',
    title: 'Beckon callbacks, SQLite',
    group: 'durable',
    tuning:
      '`Http({ beckon })` in the agents’ process; people in another post to the callback’s URL on one keep-alive ' +
      'connection for each agent.',
    bring: here,
    async start(folder) {
      const port = await freePort();
      return runAgents({
        folder,
        program: new URL('./agents/beckon-callback.ts', import.meta.url),
        args: [join(folder, 'beckon.db'), String(port)],
      });
    },
  },
  {
    name: 'beckon-connect',
    title: 'Beckon through `connectBeckon`, SQLite',
    group: 'durable',
    tuning:
      'Agents and people in one process, `beckon up` in another, as it ships: its token check, its limits, its log. ' +
      'Everything goes over one WebSocket.',
    bring: here,
    start: (folder) => runBesideDaemon(folder, new URL('./agents/beckon.ts', import.meta.url)),
  },
  {
    name: 'beckon-connect-http',
    title: 'Beckon through `connectBeckon` over HTTP, SQLite',
    group: 'durable',
    tuning: 'The same with `transport: "http"`, as where a WebSocket is refused.',
    bring: here,
    start: (folder) => runBesideDaemon(folder, new URL('./agents/beckon.ts', import.meta.url), ['http']),
  },
  {
    name: 'beckon-http',
    title: 'Beckon over plain HTTP, SQLite',
    group: 'durable',
    tuning:
      'The same `beckon up`; agents and people use its documented routes with a bare client, two keep-alive ' +
      'connections for each agent.',
    bring: here,
    start: (folder) => runBesideDaemon(folder, new URL('./agents/beckon-http.ts', import.meta.url)),
  },
  {
    name: 'beckon-postgres',
    title: 'Beckon in process, Postgres',
    group: 'durable',
    tuning:
      '`openBeckon` in the agents’ process, people too. Postgres 18 on this machine over TCP, as it ships: `fsync` ' +
      'and `synchronous_commit` on.',
    bring: here,
    async start(folder) {
      const service = await startPostgresOnDisk(folder);
      return runAgents({
        folder,
        program: new URL('./agents/beckon.ts', import.meta.url),
        args: [service.url],
        service,
      });
    },
  },
  {
    name: 'restate',
    title: 'Restate',
    group: 'durable',
    tuning:
      'As it ships (WAL with fsync, 24 partitions, data kept for a day), telemetry off. An invocation for each ask, ' +
      'which waits for an awakeable; no `ctx.run`. Agents, people and the handlers are in one process, the server ' +
      'in another; the ingress is called with the same bare client as Beckon over plain HTTP, two keep-alive ' +
      'connections for each agent.',
    bring: () => bringModules('restate', ['@restatedev/restate-server', '@restatedev/restate-sdk']),
    async start(folder) {
      const peer = await installPeer('restate');
      const service = await startRestate(peer, folder);
      const args = [peer, service.ingress, service.admin];
      return runAgents({ folder, program: new URL('./agents/restate.ts', import.meta.url), args, service });
    },
  },
  {
    name: 'dbos',
    title: 'DBOS, Postgres',
    group: 'durable',
    tuning:
      'As it ships (a pool of 10 connections, `LISTEN`/`NOTIFY`), on a Postgres like Beckon’s. A workflow for ' +
      'each ask, which waits with `DBOS.recv`; `DBOS.send` answers. Agents, people and workflows are in one ' +
      'process.',
    bring: () => bringModules('dbos', ['@dbos-inc/dbos-sdk']),
    async start(folder) {
      const peer = await installPeer('dbos');
      const service = await startPostgresOnDisk(folder);
      return runAgents({
        folder,
        program: new URL('./agents/dbos.ts', import.meta.url),
        args: [peer, service.url],
        service,
      });
    },
  },
  toLangGraph({
    name: 'langgraph',
    mode: 'synced',
    title: 'LangGraph, SQLite, synced',
    tuning:
      'Set to be as durable as the others here: `synchronous=FULL`, `durability: "sync"`. A thread for each ask; ' +
      '`interrupt` asks and `Command({ resume })` answers, in the agents’ process. Nothing waits in between: the ' +
      'second call loads the thread again.',
  }),
  toLangGraph({
    name: 'langgraph-shipped',
    mode: 'shipped',
    title: 'LangGraph, SQLite, as it ships, not synced',
    tuning:
      'The same with its own settings. SQLite then syncs only at checkpoints of the WAL (`synchronous=NORMAL`): a ' +
      'power loss can lose the last questions and answers.',
  }),
  {
    name: 'coordinator',
    title: 'In-memory coordinator',
    group: 'memory',
    tuning: 'Promises in a map, in the agents’ process, people too. No network, no checks.',
    bring: here,
    start: (folder) => runAgents({ folder, program: new URL('./agents/coordinator.ts', import.meta.url) }),
  },
  {
    name: 'express',
    title: 'Express callback server',
    group: 'memory',
    tuning:
      'Handlers in a map in the agents’ process. As designed, it forwards each answer to a backend, a bare server ' +
      'in a third process, before it counts. People post from another process, on one keep-alive connection for ' +
      'each agent.',
    bring: () => Promise.resolve(`express ${readVersion(ROOT, 'express')}`),
    async start(folder) {
      const backend = await startServer(new URL('../bridge/servers/backend.ts', import.meta.url), ['0']);
      const service = { readMs: () => backend.readCpuMs(), stop: () => backend.stop() };
      return runAgents({
        folder,
        program: new URL('./agents/express.ts', import.meta.url),
        args: [backend.url],
        service,
      });
    },
  },
  {
    name: 'express-alone',
    title: 'Express callback server, nothing forwarded',
    group: 'memory',
    tuning: 'The same without the backend.',
    bring: () => Promise.resolve(`express ${readVersion(ROOT, 'express')}`),
    start: (folder) => runAgents({ folder, program: new URL('./agents/express.ts', import.meta.url) }),
  },
  {
    name: 'fastapi',
    title: 'FastAPI callback server',
    group: 'memory',
    tuning:
      'Futures in a map in the agents’ process, one uvicorn worker with uvloop and httptools where they are ' +
      'installed. People post from another process, on one keep-alive connection for each agent.',
    bring: async () => describePython(await installFastApi()),
    async start(folder) {
      return runAgents({
        folder,
        program: new URL('./agents/callbacks.py', import.meta.url),
        interpreter: [await installFastApi()],
      });
    },
  },
];

function toLangGraph(input: { name: string; title: string; mode: 'synced' | 'shipped'; tuning: string }): Contender {
  const { mode, ...rest } = input;
  return {
    ...rest,
    group: 'durable',
    bring: () =>
      bringModules('langgraph', ['@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite', 'better-sqlite3']),
    async start(folder) {
      const peer = await installPeer('langgraph');
      return runAgents({
        folder,
        program: new URL('./agents/langgraph.ts', import.meta.url),
        args: [peer, join(folder, 'threads.db'), mode],
      });
    },
  };
}

/** Installs a peer and names its modules with their versions. */
async function bringModules(peer: PeerName, modules: readonly string[]): Promise<string> {
  const folder = await installPeer(peer);
  return modules.map((module) => `${module} ${readVersion(folder, module)}`).join(', ');
}
