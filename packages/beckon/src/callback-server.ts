// Any name exported here becomes public API: it is `beckon/bridge`.
import { HookServer } from './bridge/hook-server.ts';
import { SharedForwarders } from './bridge/shared-forwarders.ts';
import { openLocalStore } from './daemon/local-store.ts';
import { BeckonError } from './protocol/errors.ts';
import { Id } from './protocol/ids.ts';
import type { JsonObject } from './protocol/json.ts';
import { parse } from './protocol/parse.ts';
import { newHookId } from './runtime/new-id.ts';
import { systemClock } from './runtime/system-clock.ts';
import { toHome, toHomeFile } from './where/home.ts';

/** Optional settings of the bridge. */
export interface CallbackServerOptions {
  /**
   * The store that keeps hooks until they have arrived. Default: `BECKON_STORE`, else the daemon's,
   * `sqlite:$BECKON_HOME/beckon.db`.
   */
  store?: string;
  /**
   * Signs forwarded hooks by the rules of Standard Webhooks. All servers on one store and backend need the same secret.
   * Default: `BECKON_API_SECRET`, else nothing is signed.
   */
  apiSecret?: string;
  /** Called with what somebody should look at. Default: a process warning. */
  onWarning?: (message: string) => void;
}

/** Settings of `getCallbackServer`. */
export interface GetCallbackServerOptions extends CallbackServerOptions {
  /** The backend. Default: `BECKON_API_URL`. */
  apiUrl?: string;
  /** Its token. Default: `BECKON_API_TOKEN`. */
  apiToken?: string;
}

/**
 * The bridge between Claude Code's hooks and a backend: a server on loopback for one session. It stores each hook on
 * disk, lets the waiting command go on, and forwards the hook in the background, even if the backend is down meanwhile.
 */
export class CallbackServer {
  readonly #sessionId: string;
  readonly #apiUrl: string;
  readonly #apiToken: string;
  readonly #options: CallbackServerOptions;
  readonly #handlers = new Map<string, (hook: JsonObject) => void>();
  #running: Promise<Running> | undefined;
  #port: number | undefined;

  constructor(sessionId: string, apiUrl: string, apiToken: string, options: CallbackServerOptions = {}) {
    this.#sessionId = sessionId;
    this.#apiUrl = apiUrl;
    this.#apiToken = apiToken;
    this.#options = options;
  }

  /**
   * Listens on a free port. Throws `invalid_input` that names each missing credential. A second call changes nothing.
   */
  async start(): Promise<void> {
    const running = (this.#running ??= this.#start());
    try {
      const { server } = await running;
      // It may have been stopped meanwhile.
      if (this.#running === running) this.#port = server.port;
    } catch (error) {
      if (this.#running === running) this.#running = undefined;
      throw error;
    }
  }

  /** The address for the hooks of a command: the value of `CODE_MY_SPEC_CALLBACK_URL`. */
  getCallbackUrl(interactionId: string): string {
    if (this.#port === undefined) throw new Error('Server not started');
    return `http://localhost:${this.#port}/command-complete/${encodeURIComponent(interactionId)}`;
  }

  /**
   * Calls `callback` once, with the first hook that completes the command. A second call for an interaction replaces
   * the first.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the signature of the document that this replaces
  onCommandComplete(interactionId: string, callback: (data: any) => void): void {
    this.#handlers.set(interactionId, callback);
  }

  /** Takes no more hooks, and gives waiting ones a moment to be sent. Other servers, or the next run, send the rest. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#port = undefined;
    this.#handlers.clear();
    const parts = await running?.catch(() => undefined);
    if (parts === undefined) return;
    await parts.server.stop();
    await parts.release();
  }

  async #start(): Promise<Running> {
    const { onWarning: warn = warnProcess, store = findStore(), apiSecret } = this.#options;
    checkCredentials({ apiUrl: this.#apiUrl, apiToken: this.#apiToken, sessionId: this.#sessionId });
    parse(Id, this.#sessionId, { what: 'sessionId' });
    const secret = apiSecret ?? (process.env['BECKON_API_SECRET'] || undefined);
    const backend = { url: this.#apiUrl, token: this.#apiToken, secret };
    const { sink, release } = await shared.acquire({ store, sessionId: this.#sessionId, backend, warn });
    const server = new HookServer({ sessionId: this.#sessionId, sink, warn }, this.#handlers);
    try {
      await server.start();
      return { server, release };
    } catch (error) {
      await release();
      throw error;
    }
  }
}

interface Running {
  server: HookServer;
  release(): Promise<void>;
}

// The document that this replaces finds a session's server by its id alone: these two remember the servers of the
// process.
const servers = new Map<string, Promise<CallbackServer>>();
const shared = new SharedForwarders((store) => openLocalStore(store, 'Choose another store, or set BECKON_STORE.'), {
  clock: systemClock,
  newId: newHookId,
});

/** The running server of a session. The first call starts it; concurrent calls get the same server. */
export function getCallbackServer(sessionId: string, options: GetCallbackServerOptions = {}): Promise<CallbackServer> {
  const known = servers.get(sessionId);
  if (known !== undefined) return known;
  const starting = startServer(sessionId, options).catch((error: unknown) => {
    if (servers.get(sessionId) === starting) servers.delete(sessionId);
    throw error;
  });
  servers.set(sessionId, starting);
  return starting;
}

/** Stops the server of a session, if there is one. */
export async function cleanupCallbackServer(sessionId: string): Promise<void> {
  const known = servers.get(sessionId);
  servers.delete(sessionId);
  const server = await known?.catch(() => undefined);
  await server?.stop();
}

async function startServer(sessionId: string, options: GetCallbackServerOptions): Promise<CallbackServer> {
  const {
    apiUrl = process.env['BECKON_API_URL'] ?? '',
    apiToken = process.env['BECKON_API_TOKEN'] ?? '',
    ...rest
  } = options;
  const server = new CallbackServer(sessionId, apiUrl, apiToken, rest);
  await server.start();
  return server;
}

function checkCredentials(given: Record<'apiUrl' | 'apiToken' | 'sessionId', string>): void {
  const names = { apiUrl: 'apiUrl (BECKON_API_URL)', apiToken: 'apiToken (BECKON_API_TOKEN)', sessionId: 'sessionId' };
  const missing = (['apiUrl', 'apiToken', 'sessionId'] as const).filter((name) => !given[name]);
  if (missing.length === 0) return;
  throw new BeckonError(
    'invalid_input',
    `Missing required credentials: ${missing.map((name) => names[name]).join(', ')}. Pass them, or set the variables.`,
  );
}

function findStore(): string {
  return process.env['BECKON_STORE'] || `sqlite:${toHomeFile(toHome(process.env), 'database')}`;
}

function warnProcess(message: string): void {
  process.emitWarning(message, 'BeckonWarning');
}
