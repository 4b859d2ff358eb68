import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Caller } from '../core/access.ts';
import type { Logins } from '../core/account.ts';
import type { AgentHooks } from '../core/agent-hooks.ts';
import type { ServedBeckon } from '../core/beckon.ts';
import type { CallbackUrls } from '../core/callback-request.ts';
import type { Destinations } from '../core/destinations.ts';
import type { History } from '../core/history.ts';
import type { HookSink } from '../core/hooks.ts';
import type { MachineLogins } from '../core/machines.ts';
import type { Hooks, OutboxAdmin } from '../core/outbox.ts';
import type { Rules } from '../core/rules.ts';
import type { TimePolicies } from '../core/time-policy.ts';
import { LIMITS } from '../protocol/limits.ts';
import { addAccess, type CheckToken } from './access.ts';
import { addCameBy, createWayIn, type WayIn, type WayInOptions } from './came-by.ts';
import { addHostCheck } from './hosts.ts';
import { addJsonBody } from './json-body.ts';
import type { Metrics } from './metrics.ts';
import { addOpenApi } from './openapi.ts';
import { addPage } from './page.ts';
import { addProblems, refuseAddress, refuseConnection } from './problems.ts';
import { addRequestLog } from './request-log.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addAgentHookRoutes } from './routes/agent-hooks.ts';
import { addCallbackRoute } from './routes/callback.ts';
import { addChatRoutes } from './routes/chats.ts';
import { addDestinationRoutes } from './routes/destinations.ts';
import { addEventRoute } from './routes/events.ts';
import { addExportRoute } from './routes/export.ts';
import { addGroupRoutes } from './routes/groups.ts';
import { addHistoryRoutes } from './routes/history.ts';
import { addHookRoutes } from './routes/hooks.ts';
import { addInteractionRoutes } from './routes/interactions.ts';
import { addMachineEntryRoutes } from './routes/machine-entry.ts';
import { addMachineRoutes } from './routes/machines.ts';
import { addMcpRoute, type HandleMcp } from './routes/mcp.ts';
import { addOutboxRoutes } from './routes/outbox.ts';
import { addRuleRoutes } from './routes/rules.ts';
import { addServiceRoutes, type Identity } from './routes/service.ts';
import { addSocketRoute, SOCKET_PATH } from './routes/socket.ts';
import { addTimePolicyRoutes } from './routes/time-policies.ts';
import { addTriageRoutes } from './routes/triage.ts';
import { compileSerializer, compileValidator } from './schemas.ts';
import { createSlowDown, type SlowDown } from './slow-down.ts';
import { addStopping, type Stopping } from './stopping.ts';
import { DEFAULT_TIMES, type Times } from './times.ts';
import { addTransportSecurity } from './transport-security.ts';

/** What the server needs. */
export interface AppOptions {
  beckon: ServedBeckon;
  checkToken: CheckToken;
  logins: Logins;
  machines: MachineLogins;
  /** Looking back as a caller, within its chat if it has one. */
  history: (caller: Caller) => History;
  /** The rules as a caller sees and makes them. */
  rules: (caller: Caller) => Rules;
  /** The time policies as a caller sees and sets them. */
  timePolicies: (caller: Caller) => TimePolicies;
  /** Where a caller is told. */
  destinations: (caller: Caller) => Destinations;
  /** Throws what writing to the store fails with. */
  checkWrites: () => Promise<void>;
  bridge: BridgePorts;
  /** Answers the hooks of agents, by the last part of the address that they are sent to. */
  agentHooks: ReadonlyMap<string, AgentHooks>;
  handleMcp: HandleMcp;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  /** What `/healthz` says about this process. */
  identity: Identity;
  /** Host names besides loopback that requests may name. */
  hosts: readonly string[];
  /** The addresses under which people and programs reach this server. */
  wayIn?: WayInOptions;
  /** The certificate and the key, if the server has TLS itself. */
  tls?: { cert: string; key: string } | undefined;
  /** The folder of the built page. Without it, or with an empty one, `/` says how to build it. */
  pageFolder?: string;
  /** Addresses for what people do with components. Without them every answer needs a token. */
  callbackUrls?: CallbackUrls;
  /** Most connections at once. Default 20,000. */
  maxConnections?: number;
  /** Most waits of all lines at once. Default 200,000. */
  mostLineWaits?: number;
  times?: Partial<Times>;
}

/** The bridge as the routes see it. */
export interface BridgePorts {
  /** Takes the hooks of this machine. */
  sink: HookSink;
  hooks: Hooks;
  outbox: OutboxAdmin;
  newHookId: () => string;
  /** The backend that hooks are forwarded to, if any. */
  destination: string | undefined;
  /** Throws `signature_refused`. Absent if hooks from elsewhere need no signature. */
  verify?: ((headers: Readonly<Record<string, string | string[] | undefined>>, body: string) => void) | undefined;
  /** Called when somebody changed what is to be sent. */
  onChange(): void;
}

/** Everything that routes share. */
export interface RouteContext extends Omit<AppOptions, 'wayIn' | 'mostLineWaits'> {
  wayIn: WayIn;
  /** The waits of all lines: one connection holds thousands, so the number of connections does not limit them. */
  lineWaits: { held: number; readonly most: number };
  /** Everything held open ends when it begins. */
  stopping: Stopping;
  slowDown: SlowDown;
  times: Times;
}

/** Builds the HTTP app without listening. Closing it ends what is held open and waits for requests in progress. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const times = { ...DEFAULT_TIMES, ...options.times };
  const wayIn = createWayIn(options.wayIn ?? {});
  const serverOptions = {
    // Node swaps the two if this one is longer; a body would then get the time meant for the headers.
    headersTimeout: times.requestMs,
    // How late it may be noticed: at 30 s, by 1 s.
    connectionsCheckingInterval: Math.ceil(times.requestMs / 30),
    // HTTP lets a server ignore other upgrades.
    shouldUpgradeCallback: (request: IncomingMessage) => wayIn.toOwnUrl(request).startsWith(SOCKET_PATH),
  };
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.requestBytes,
    requestTimeout: times.requestMs,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    // Our own hook rejects them, with problem details.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000 },
    http: serverOptions,
    // Everything below uses only what both kinds of servers have.
    ...(options.tls !== undefined && {
      https: { ...serverOptions, handshakeTimeout: times.requestMs, ...options.tls } as unknown as null,
    }),
    // For every request, so only where they change something.
    ...(!wayIn.isPlain && { trustProxy: wayIn.isTrusted, rewriteUrl: wayIn.toOwnUrl }),
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseConnection,
  });
  app.server.maxConnections = options.maxConnections ?? 20_000;
  app.removeContentTypeParser('text/plain');
  addJsonBody(app);
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  // First, because it ends the connection of an upgrade that a later hook rejects. The route ends the others.
  await app.register(websocket, { options: { maxPayload: LIMITS.requestBytes }, preClose: (done) => done() });
  const context: RouteContext = {
    ...options,
    wayIn,
    times,
    slowDown: createSlowDown(times),
    lineWaits: { held: 0, most: options.mostLineWaits ?? 200_000 },
    stopping: addStopping(app),
  };
  addProblems(app);
  addCameBy(app, wayIn);
  addHostCheck(app, context);
  addTransportSecurity(app, wayIn);
  addAccess(app, context);
  options.metrics.observeRequests(app);
  addRequestLog(app);
  await addOpenApi(app, options.identity);
  await app.register(async (scope) => {
    addInteractionRoutes(scope, context);
    addGroupRoutes(scope, context);
    addChatRoutes(scope, context);
    addEventRoute(scope, context);
    addSocketRoute(scope, context);
    addHistoryRoutes(scope, context);
    addTriageRoutes(scope, context);
    addRuleRoutes(scope, context);
    addTimePolicyRoutes(scope, context);
    addDestinationRoutes(scope, context);
    addExportRoute(scope, context);
    addMachineEntryRoutes(scope, context);
    addMachineRoutes(scope, context);
    addMcpRoute(scope, context);
  });
  // With a parser of its own.
  await app.register(async (scope) => addCallbackRoute(scope, context));
  await app.register(async (scope) => {
    addServiceRoutes(scope, context);
    addOutboxRoutes(scope, context);
  });
  // With its own parser.
  await app.register(async (scope) => {
    addHookRoutes(scope, context);
    addAgentHookRoutes(scope, context);
  });
  // Separate, because the plugin looks at every reply.
  await app.register(async (scope) => {
    await scope.register(cookie, { hook: false });
    addAccountRoutes(scope, context);
  });
  await addPage(app, options.pageFolder);
  return app;
}
