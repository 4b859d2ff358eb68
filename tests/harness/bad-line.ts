import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect as openSocket, type Socket } from 'node:net';

/**
 * What happens to one connection. Delays count for each piece of data, in both directions. `swallowed`: it is accepted,
 * and nothing ever answers. `half-open`: the request gets through, but nothing comes back, not even its end.
 */
export type Fate =
  | { is: 'fine' }
  | { is: 'delayed'; ms: number }
  | { is: 'refused' }
  | { is: 'cut in the request'; afterBytes: number }
  | { is: 'cut in the wait'; afterMs: number }
  | { is: 'cut at the reply' }
  | { is: 'cut in the reply'; afterBytes: number }
  | { is: 'swallowed' }
  | { is: 'half-open' }
  | { is: 'bad gateway' };

/** A line between a client and a server, whose connections have the fates that a test gives them. */
export interface BadLine {
  readonly url: string;
  /** Where the next connections lead to. */
  target: string;
  /** The fates of the next connections, one after another; those after them are fine. */
  fates: Fate[];
  /** The fates that connections have had so far. */
  readonly had: Fate[];
  /** Refuses connections from here on, and breaks those there are. */
  close(): Promise<void>;
  /** Takes connections again, at the same address. */
  open(): Promise<void>;
}

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Opens a line on a free port of loopback. */
export async function openBadLine(target: string, fates: readonly Fate[] = []): Promise<BadLine> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const fate = line.fates.shift() ?? { is: 'fine' };
    line.had.push(fate);
    watch(near);
    carry(near, fate);
  });

  function watch(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }

  function carry(near: Socket, fate: Fate): void {
    if (fate.is === 'refused') near.resetAndDestroy();
    else if (fate.is === 'swallowed') near.resume();
    else if (fate.is === 'bad gateway') answerBadGateway(near);
    else connect(near, fate);
  }

  function connect(near: Socket, fate: Fate): void {
    const { hostname, port } = new URL(line.target);
    const far = openSocket(Number(port), hostname);
    watch(far);
    const cut = (): void => {
      near.resetAndDestroy();
      far.resetAndDestroy();
    };
    const later = fate.is === 'delayed' ? fate.ms : 0;
    let sent = 0;
    let received = 0;
    near.on('data', (bytes) => {
      const rest = fate.is === 'cut in the request' ? fate.afterBytes - sent : bytes.length;
      sent += bytes.length;
      if (rest < bytes.length) {
        far.write(bytes.subarray(0, Math.max(0, rest)), cut);
        return;
      }
      if (fate.is === 'cut in the wait') setTimeout(cut, fate.afterMs).unref();
      pass(far, bytes, later);
    });
    far.on('data', (bytes) => {
      if (fate.is === 'half-open') return;
      if (fate.is === 'cut at the reply') return cut();
      const rest = fate.is === 'cut in the reply' ? fate.afterBytes - received : bytes.length;
      received += bytes.length;
      if (rest < bytes.length) near.write(bytes.subarray(0, Math.max(0, rest)), cut);
      else pass(near, bytes, later);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => {
      if (fate.is !== 'half-open') setTimeout(() => near.destroy(), later);
    });
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  const port = await findPort(listen);
  const line: BadLine = {
    url: `http://127.0.0.1:${port}`,
    target,
    fates: [...fates],
    had: [],
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
    open: () => listen(port),
  };
  return line;
}

/**
 * A port below those that systems give to whoever asks for any: while the line is closed, no other server may get it
 * and answer in its place.
 */
async function findPort(listen: (port: number) => Promise<void>): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    try {
      await listen(port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

function pass(to: Socket, bytes: Buffer, ms: number): void {
  if (ms === 0) to.write(bytes);
  else setTimeout(() => void to.write(bytes), ms);
}

function answerBadGateway(near: Socket): void {
  near.once('data', () => {
    near.end(
      `HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}\r\nconnection: close\r\n\r\n${PAGE}`,
    );
  });
}
