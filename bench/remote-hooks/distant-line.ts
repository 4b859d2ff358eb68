import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that is far away, and what has crossed it. */
export interface DistantLine {
  port: number;
  connections: number;
  /** How often a client waited for the other end: to connect, and for each reply. */
  roundTrips: number;
  close(): Promise<void>;
}

/**
 * Opens a line on loopback to a port there. Everything takes half of the round trip in each direction. The client's
 * system connects at once, so what it says first arrives a whole round trip later: connecting takes that long.
 */
export async function openDistantLine(target: number, roundTripMs: number): Promise<DistantLine> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    line.connections += 1;
    line.roundTrips += 1;
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const connectedAt = performance.now() + roundTripMs;
    const send = createDelayed(far);
    const reply = createDelayed(near);
    let isReplying = false;
    const pass = (bytes: Buffer | null): void => {
      isReplying = false;
      send(bytes, Math.max(performance.now(), connectedAt) + roundTripMs / 2);
    };
    near.on('data', pass).on('end', () => pass(null));
    far.on('data', (bytes: Buffer) => {
      if (!isReplying) line.roundTrips += 1;
      isReplying = true;
      reply(bytes, performance.now() + roundTripMs / 2);
    });
    far.on('end', () => reply(null, performance.now() + roundTripMs / 2));
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line: DistantLine = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    roundTrips: 0,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
  return line;
}

/** Writes bytes, and with `null` the end, at their time and in order. */
function createDelayed(to: Socket): (bytes: Buffer | null, at: number) => void {
  const queue: { bytes: Buffer | null; at: number }[] = [];
  const flush = (): void => {
    while (queue[0] !== undefined && queue[0].at <= performance.now() + 0.5) {
      const { bytes } = queue.shift() ?? { bytes: null };
      if (bytes === null) to.end();
      else to.write(bytes);
    }
    if (queue[0] !== undefined) wait(queue[0].at);
  };
  const wait = (at: number): void => void setTimeout(flush, Math.max(0, at - performance.now()));
  return (bytes, at) => {
    queue.push({ bytes, at });
    if (queue.length === 1) wait(at);
  };
}
