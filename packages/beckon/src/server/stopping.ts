import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BeckonError } from '../protocol/errors.ts';

/** Tells everything held open when the server begins to stop. */
export interface Stopping {
  readonly hasBegun: boolean;
  /** Runs `task` when the server begins to stop, unless the returned function is called before. */
  onBegin(task: () => void): () => void;
}

/** Once the app begins to close, new requests are rejected, and connections end with the reply they wait for. */
export function addStopping(app: FastifyInstance): Stopping {
  // Not an AbortSignal: adding its n-th listener takes n steps, and thousands of waits are held at once.
  const tasks = new Set<() => void>();
  const sockets = new Set<Socket>();
  let hasBegun = false;
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', (done) => {
    hasBegun = true;
    for (const task of tasks) task();
    // Browsers open connections in advance, which look busy to the server.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBegun && request.routeOptions.config.action !== 'open') done(toStoppingError());
    else done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A client that keeps its connection would keep the server from closing.
    if (hasBegun) reply.header('connection', 'close');
    done(null, payload);
  });
  return {
    get hasBegun() {
      return hasBegun;
    },
    onBegin(task) {
      tasks.add(task);
      return () => tasks.delete(task);
    },
  };
}

/** The error of a request that the stop ended. */
export function toStoppingError(cause?: unknown): BeckonError {
  return new BeckonError('closed', 'This Beckon is stopping. Try again in a moment; nothing is lost.', { cause });
}
