import websocket from '@fastify/websocket';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Beckon } from '../core/beckon.ts';
import { LIMITS } from '../protocol/limits.ts';
import { addAccess, type CheckToken } from './access.ts';
import { addHostCheck } from './hosts.ts';
import type { Metrics } from './metrics.ts';
import { addOpenApi } from './openapi.ts';
import { addProblems, refuseAddress, refuseConnection } from './problems.ts';
import { addRequestLog } from './request-log.ts';
import { addCallbackRoute, type CallbackUrls } from './routes/callback.ts';
import { addChatRoutes } from './routes/chats.ts';
import { addEventRoute } from './routes/events.ts';
import { addInteractionRoutes } from './routes/interactions.ts';
import { addServiceRoutes, type Identity } from './routes/service.ts';
import { addSocketRoute, SOCKET_PATH } from './routes/socket.ts';
import { compileSerializer, compileValidator } from './schemas.ts';
import { addStopping, type Stopping } from './stopping.ts';
import { DEFAULT_TIMES, type Times } from './times.ts';

/** What the server is put together from. */
export interface AppOptions {
  beckon: Beckon;
  checkToken: CheckToken;
  newId: () => string;
  /** The number of the last event of the log. */
  lastSeq: () => Promise<number>;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  /** What `/healthz` tells about this process. */
  identity: Identity;
  /** Host names, beside loopback, that requests may name. */
  hosts: readonly string[];
  /** The address under which clients reach this server, known once it listens. */
  baseUrl: () => string;
  /** Addresses for what people do with components. Without it nobody can answer without a token. */
  callbackUrls?: CallbackUrls;
  /** Most connections at once. Default 20,000. */
  maxConnections?: number;
  times?: Partial<Times>;
}

/** Everything that routes share. */
export interface RouteContext extends AppOptions {
  /** Whatever is held open ends when it begins. */
  stopping: Stopping;
  times: Times;
}

/** Builds the HTTP app without listening. Closing it ends what is held open and waits for what is under way. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.requestBytes,
    // Time to send a whole request; waiting for an outcome does not count.
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    // Our own hook refuses them, with problem details.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000 },
    // Everywhere else an upgrade is a wish that HTTP lets a server pass over.
    http: { shouldUpgradeCallback: ({ url }) => url?.startsWith(SOCKET_PATH) === true },
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseConnection,
  });
  app.server.maxConnections = options.maxConnections ?? 20_000;
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  // First, because it ends the connection of an upgrade that a later hook refuses. Ending the others is left to the route.
  await app.register(websocket, { options: { maxPayload: LIMITS.requestBytes }, preClose: (done) => done() });
  const times = { ...DEFAULT_TIMES, ...options.times };
  const context: RouteContext = { ...options, times, stopping: addStopping(app) };
  addProblems(app);
  addHostCheck(app, context);
  addAccess(app, context);
  options.metrics.observeRequests(app);
  addRequestLog(app);
  await addOpenApi(app, options.identity);
  await app.register(async (scope) => {
    addInteractionRoutes(scope, context);
    addChatRoutes(scope, context);
    addEventRoute(scope, context);
    addSocketRoute(scope, context);
    addCallbackRoute(scope, context);
    addServiceRoutes(scope, context);
  });
  return app;
}
