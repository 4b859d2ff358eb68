import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BeckonError } from '../protocol/errors.ts';

/** Tells what is held open that the server begins to stop. */
export interface Stopping {
  readonly hasBegun: boolean;
  /** Runs `task` when the server begins to stop, unless the returned function is called before. */
  onBegin(task: () => void): () => void;
}

/** Once the app begins to close, requests that are new are refused, and connections end with the reply they wait for. */
export function addStopping(app: FastifyInstance): Stopping {
  // Not an AbortSignal: adding the n-th listener to one takes n steps, and thousands of waits are held at once.
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
    // A browser connects in advance, for a request that may come. To the server such a connection looks busy.
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

/** What a client hears whose request the stop ended: nothing is lost, it comes back. */
export function toStoppingError(cause?: unknown): BeckonError {
  return new BeckonError('closed', 'This Beckon is stopping. Try again in a moment; nothing is lost.', { cause });
}
