import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../harness/random.ts';

/** What happened on the way. */
interface Troubles {
  requests: number;
  delayed: number;
  refused: number;
  lostRequests: number;
  lostReplies: number;
  cuts: number;
}

/** A way to a server on which much goes wrong, the same for the same seed and the same requests. */
export interface BadNetwork {
  url: string;
  /** Where it leads. */
  target: string;
  troubles: Troubles;
  close(): Promise<void>;
}

/** Starts an HTTP proxy that delays, refuses, loses requests and replies, and cuts every connection `cuts` times. */
export async function startBadNetwork(
  random: Random,
  options: { cuts: number; cutEvery: number },
): Promise<BadNetwork> {
  const troubles: Troubles = { requests: 0, delayed: 0, refused: 0, lostRequests: 0, lostReplies: 0, cuts: 0 };
  const sockets = new Set<Socket>();
  let agent = new Agent({ keepAlive: true });
  const server = createServer((near, reply) => void pass(near, reply).catch(() => reply.destroy()));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function pass(near: IncomingMessage, reply: ServerResponse): Promise<void> {
    troubles.requests += 1;
    if (troubles.cuts < options.cuts && troubles.requests % options.cutEvery === 0) {
      troubles.cuts += 1;
      for (const socket of sockets) socket.resetAndDestroy();
      agent.destroy();
      agent = new Agent({ keepAlive: true });
      return;
    }
    const dice = random.below(1000);
    if (dice < 5) {
      troubles.lostRequests += 1;
      near.socket.resetAndDestroy();
      return;
    }
    if (dice < 15) {
      troubles.refused += 1;
      const status = random.pick([500, 502, 503, 429]);
      reply.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end('trouble on the way');
      return;
    }
    if (dice < 35) {
      troubles.delayed += 1;
      await sleep(random.below(100));
    }
    const far = request(new URL(near.url ?? '', network.target), {
      method: near.method ?? 'GET',
      headers: near.headers,
      agent,
    });
    far.on('error', () => {
      if (!reply.headersSent) reply.writeHead(502);
      reply.end();
    });
    near.pipe(far);
    const [answer] = (await once(far, 'response')) as [IncomingMessage];
    if (dice >= 35 && dice < 40) {
      troubles.lostReplies += 1;
      answer.resume();
      near.socket.resetAndDestroy();
      return;
    }
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const network: BadNetwork = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    troubles,
    close: async () => {
      server.closeAllConnections();
      agent.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return network;
}
