import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net';
import { afterEach, beforeEach } from 'vitest';

/** A network between client and server that goes wrong when the test says so. */
export interface TcpProxy {
  /** The address that stands for the server's. */
  readonly url: string;
  /** How many connections there were so far. */
  readonly connections: number;
  /** Breaks all connections. */
  cut(): void;
  /** The next reply is lost: when the server has answered, the connection breaks. */
  loseReply(): void;
  /** Nothing gets through on the connections there are, but they stay. */
  freeze(): void;
}

/** For each test around it a proxy to `target`, whose connections are closed afterwards. */
export function useTcpProxy(target: { readonly url: string }): TcpProxy {
  let proxy: StartedProxy;
  beforeEach(async () => {
    proxy = await startTcpProxy(target);
  });
  afterEach(() => proxy.close());
  return {
    get url() {
      return proxy.url;
    },
    get connections() {
      return proxy.connections;
    },
    cut: () => proxy.cut(),
    loseReply: () => proxy.loseReply(),
    freeze: () => proxy.freeze(),
  };
}

/** A proxy that its opener closes. */
type StartedProxy = TcpProxy & { close(): Promise<void> };

/** Starts a proxy to `target`, which may be gone and come back. */
export async function startTcpProxy(target: { readonly url: string }): Promise<StartedProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let isReplyLost = false;
  const server = createServer((near) => {
    connections += 1;
    const far = openSocket(Number(new URL(target.url).port), '127.0.0.1');
    const breakBoth = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', breakBoth);
      socket.on('close', () => {
        sockets.delete(socket);
        breakBoth();
      });
    }
    near.on('data', (bytes) => void far.write(bytes));
    far.on('data', (bytes) => {
      if (!isReplyLost) {
        near.write(bytes);
        return;
      }
      isReplyLost = false;
      breakBoth();
    });
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    cut,
    loseReply: () => {
      isReplyLost = true;
    },
    freeze: () => {
      for (const socket of sockets) {
        socket.removeAllListeners('data');
        socket.resume();
      }
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
