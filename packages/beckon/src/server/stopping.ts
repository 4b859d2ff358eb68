import type { FastifyInstance } from 'fastify';

/** A signal that aborts when the app begins to close, before it waits for requests under way. */
export function createStopping(app: FastifyInstance): AbortSignal {
  const controller = new AbortController();
  app.addHook('preClose', async () => controller.abort());
  // A client that keeps its connection would keep the server from closing.
  app.addHook('onSend', async (_request, reply) => {
    if (controller.signal.aborted) reply.header('connection', 'close');
  });
  return controller.signal;
}
