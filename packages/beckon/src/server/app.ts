import swagger from '@fastify/swagger';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Beckon } from '../core/beckon.ts';
import { LIMITS } from '../protocol/limits.ts';
import { addAccess, type CheckToken } from './access.ts';
import { addHostCheck } from './hosts.ts';
import type { Metrics } from './metrics.ts';
import { addProblems } from './problems.ts';
import { addChatRoutes } from './routes/chats.ts';
import { addEventRoute } from './routes/events.ts';
import { addInteractionRoutes } from './routes/interactions.ts';
import { addServiceRoutes, type Identity } from './routes/service.ts';
import { addSocketRoute } from './routes/socket.ts';
import { compileSerializer, compileValidator } from './schemas.ts';
import { createStopping } from './stopping.ts';

/** What the server is put together from. */
export interface AppOptions {
  beckon: Beckon;
  checkToken: CheckToken;
  newId: () => string;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  /** What `/healthz` tells about this process. */
  identity: Identity;
  /** Host names, beside loopback, that requests may name. */
  hosts: readonly string[];
  /** The address under which clients reach this server, known once it listens. */
  baseUrl: () => string;
  /** Most connections at once. Default 20,000. */
  maxConnections?: number;
}

/** Everything that routes share. */
export interface RouteContext extends AppOptions {
  /** Aborts when the server begins to stop: whatever is held open ends then. */
  stopping: AbortSignal;
}

/** Builds the HTTP app without listening. Closing it ends what is held open and waits for what is under way. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger,
    disableRequestLogging: true,
    bodyLimit: LIMITS.requestBytes,
    // Time to send a whole request; waiting for an outcome does not count.
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000 },
  });
  app.server.maxConnections = options.maxConnections ?? 20_000;
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  const context: RouteContext = { ...options, stopping: createStopping(app) };
  addProblems(app);
  addHostCheck(app, context);
  addAccess(app, context);
  options.metrics.observeRequests(app);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Beckon', version: options.identity.version, description: 'Where agents wait for people.' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } }),
  });
  await app.register(websocket, { options: { maxPayload: LIMITS.requestBytes } });
  await app.register(async (scope) => {
    addInteractionRoutes(scope, context);
    addChatRoutes(scope, context);
    addEventRoute(scope, context);
    addSocketRoute(scope, context);
    addServiceRoutes(scope, context);
  });
  return app;
}
