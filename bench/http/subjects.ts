import { ANSWER, REQUEST } from '../core/workload.ts';
import { Connection } from './connection.ts';
import { CONNECTIONS } from './effort.ts';
import type { ServerProcess } from './server-process.ts';

/** The body of an everyday ask. */
export const ASK = JSON.stringify({ kind: 'question', request: REQUEST });

/** The body of its answer. */
const ANSWERED = JSON.stringify({ answer: ANSWER });

/** The connection that asks and waits, and the one that answers. */
interface Lane {
  agent: Connection;
  person: Connection;
}

/** One way to serve what the benchmark wants from a server, so that Beckon and the bare server get the same load. */
export interface Subject {
  name: string;
  server: ServerProcess;
  /** Calls `onSettled` when the waiting connection has its outcome, and ends when both connections are free again. */
  roundTrip(lane: Lane, onSettled: () => void): Promise<void>;
  /** Prepares `count` waits and gives the path of each. */
  prepareWaits(count: number): Promise<string[]>;
  /** The path that tells how many waits are held. */
  heldPath: string;
  /** Wakes everybody who waits. */
  wakeAll: { path: string; body: string };
  /** Where to send `ASK`, so that all readers get an event. */
  publishPath: string;
  eventsPath: string;
}

/** Beckon, with real interactions. */
export function createBeckonSubject(server: ServerProcess): Subject {
  const { token } = server;
  return {
    name: 'Beckon',
    server,
    async roundTrip({ agent, person }, onSettled) {
      const asked = await agent.send({ method: 'POST', path: '/v1/interactions', token, body: ASK });
      const path = `/v1/interactions/${toId(asked)}`;
      const waited = agent.send({ method: 'GET', path: `${path}?wait=60`, token }).then((body) => {
        if (!body.includes('"status":"answered"')) throw new Error(`Expected an answer, got ${body}`);
        onSettled();
      });
      await Promise.all([waited, person.send({ method: 'POST', path: `${path}/answer`, token, body: ANSWERED })]);
    },
    async prepareWaits(count) {
      const body = JSON.stringify({ kind: 'question', chatId: 'crowd', request: REQUEST });
      const connections = await Connection.openMany(server.url, CONNECTIONS);
      const paths: string[] = [];
      const askOn = async (connection: Connection): Promise<void> => {
        for (let left = count / CONNECTIONS; left > 0 && paths.length < count; left -= 1) {
          const asked = await connection.send({ method: 'POST', path: '/v1/interactions', token, body });
          if (paths.length < count) paths.push(`/v1/interactions/${toId(asked)}?wait=60`);
        }
      };
      await Promise.all(connections.map(askOn));
      for (const connection of connections) connection.close();
      return paths;
    },
    heldPath: '/metrics',
    wakeAll: { path: '/v1/chats/crowd/cancel', body: '{}' },
    publishPath: '/v1/interactions',
    eventsPath: '/v1/events',
  };
}

/** The bare server, which answers as many requests of the same size and keeps nothing. */
export function createBareSubject(server: ServerProcess): Subject {
  return {
    name: 'bare node:http',
    server,
    async roundTrip({ agent, person }, onSettled) {
      await agent.send({ method: 'POST', path: '/echo', body: ASK });
      const waited = agent.send({ method: 'POST', path: '/echo', body: ASK }).then(onSettled);
      await Promise.all([waited, person.send({ method: 'POST', path: '/echo', body: ANSWERED })]);
    },
    prepareWaits: async (count) => Array.from({ length: count }, () => '/hold'),
    heldPath: '/held',
    wakeAll: { path: '/release', body: ASK },
    publishPath: '/publish',
    eventsPath: '/events',
  };
}

function toId(interaction: string): string {
  const { id } = JSON.parse(interaction) as { id: string };
  return id;
}
