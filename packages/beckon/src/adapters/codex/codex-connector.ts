import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Beckon } from '../../core/beckon.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { parse } from '../../protocol/parse.ts';
import { pause } from '../../timing/pause.ts';
import { type AppServer, connectAppServer, listLoadedThreads } from './app-server.ts';
import { type FoundSocket, findSocket, toControlFolder } from './find-socket.ts';
import { NOTIFICATIONS, ResumedThread, readRequest } from './messages.ts';
import { type Asker, PendingRequests } from './pending-requests.ts';
import { createThread, noteItem, noteResumed, readItem, type Thread, toTitle } from './thread.ts';
import { toKey, toKeyPrefix } from './to-key.ts';
import { waitForChange } from './watch-folders.ts';

export interface CodexConnectorOptions {
  beckon: Beckon;
  /** The folder of Codex. */
  codexHome: string;
  /** The version of Beckon, which Codex is told. */
  version: string;
  /** Called for each request: who asks. */
  findAsker: () => Promise<Asker>;
  /** Hears of what goes wrong. Codex goes on by itself, and the connector tries again. */
  onError: (error: unknown) => void;
  /** Hears when the state has changed. */
  onChange?: (state: CodexState) => void;
}

/** What the connector sees of Codex. */
export interface CodexState {
  /** The version of the app server; `null` while there is no connection. */
  version: string | null;
  /** The sessions whose requests reach Beckon. */
  threads: string[];
  /** Why there is no connection; `null` if there is one. */
  problem: string | null;
}

/** Codex may have been started without a sign that we can see. */
const CHECK_MS = 5000;
/** Changes come in bursts, and a server that just appeared may not listen yet. */
const SETTLE_MS = 100;
/** How long the server takes at most to tell those who join of what is pending. */
const SHOWN_MS = 2000;
/** A session without a message cannot be joined yet. */
const NO_ROLLOUT = /no rollout found/i;
const ROLLOUT_TRIES = 6;
const ROLLOUT_MS = 100;
/** More sessions than a person can have: whoever has more is left alone with them. */
const MOST_THREADS = 1000;

/**
 * Joins every session of Codex's shared app server, asks people what Codex asks, and tells Codex their answers. The
 * dialogs in Codex's terminals stay open; the first answer counts. Nothing has to be configured in Codex.
 */
export class CodexConnector {
  readonly #options: CodexConnectorOptions;
  readonly #pending: PendingRequests;
  readonly #prefix: string;
  readonly #stopping = new AbortController();
  readonly #threads = new Map<string, Thread>();
  readonly #joined = new Set<string>();
  /** Sessions whose last turn is too large for one message. */
  readonly #heavy = new Set<string>();
  readonly #joining = new Set<string>();
  #state: CodexState = { version: null, threads: [], problem: null };
  #running: Promise<void> | undefined;
  #reported: string | undefined;
  /** Whether requests may be left of an earlier connection. */
  #mayBeMissed = true;

  constructor(options: CodexConnectorOptions) {
    const { beckon, codexHome, findAsker, onError } = options;
    this.#options = options;
    this.#prefix = toKeyPrefix(codexHome);
    this.#pending = new PendingRequests({ beckon, findAsker, prefix: this.#prefix, onError });
  }

  get state(): CodexState {
    return this.#state;
  }

  /** Whether the requests of this session come through here: its hooks then have nothing to ask. */
  hasThread(id: string): boolean {
    return this.#joined.has(id);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Lets go of Codex. What people were asked stays, for the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#pending.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const found = findSocket(this.#options.codexHome);
      try {
        if ('path' in found) await this.#serve(found);
        else await this.#rest(found);
      } catch (error) {
        if (signal.aborted) return;
        if (isNotRunning(error)) await this.#rest({ problem: 'Codex does not run', isFault: false }, found);
        else await this.#rest({ problem: toMessage(error), isFault: true }, found, { isOver: false });
      }
    }
  }

  /** Waits until something may be different. If Codex does not run, nobody waits for what it asked. */
  async #rest(
    { problem, isFault }: Extract<FoundSocket, { problem: string }>,
    found?: FoundSocket,
    { isOver = true } = {},
  ): Promise<void> {
    const { codexHome, onError } = this.#options;
    this.#tell({ version: null, threads: [], problem });
    // Once, not every few seconds.
    if (isFault && this.#reported !== problem) onError(new BeckonError('undeliverable', `Codex: ${problem}.`));
    this.#reported = problem;
    if (isOver && this.#mayBeMissed) {
      await this.#pending.endMissing(() => true).catch(onError);
      this.#mayBeMissed = false;
    }
    const folders = [codexHome, toControlFolder(codexHome), ...(found && 'path' in found ? [dirname(found.path)] : [])];
    await waitForChange(folders, CHECK_MS, this.#stopping.signal);
    await pause(SETTLE_MS, this.#stopping.signal).catch(() => undefined);
  }

  async #serve({ path, instance }: Extract<FoundSocket, { path: string }>): Promise<void> {
    const link: { server?: AppServer } = {};
    const server = await connectAppServer(
      path,
      {
        onRequest: (id, method, params) => {
          const request = readRequest(method, params);
          if (request === null) return;
          const thread = this.#threads.get(request.params.threadId) ?? createThread(request.params.threadId);
          this.#pending.take(toKey(this.#prefix, request, id, instance), id, request, thread);
        },
        // Before the handshake is over, a server has nothing to tell.
        onNotification: (method, params) => link.server && this.#hear(link.server, method, params),
      },
      { clientVersion: this.#options.version },
    );
    link.server = server;
    const stop = (): void => server.close();
    this.#stopping.signal.addEventListener('abort', stop, { once: true });
    if (this.#stopping.signal.aborted) stop();
    this.#pending.connected(server);
    this.#mayBeMissed = true;
    this.#reported = undefined;
    this.#tell({ version: server.version, threads: [], problem: null });
    try {
      const loaded = new Set(await listLoadedThreads(server));
      for (const id of loaded) void this.#join(server, id);
      await this.#pending.endMissing((id) => !loaded.has(id) && !this.#threads.has(id));
      const { isTooLarge } = await server.closed;
      if (isTooLarge) for (const id of this.#joining) this.#heavy.add(id);
    } finally {
      server.close();
      this.#stopping.signal.removeEventListener('abort', stop);
      this.#pending.disconnected();
      this.#threads.clear();
      this.#joined.clear();
      this.#joining.clear();
    }
  }

  #hear(server: AppServer, method: string, params: unknown): void {
    if (!Object.hasOwn(NOTIFICATIONS, method)) return;
    const read = <Name extends keyof typeof NOTIFICATIONS>(name: Name) =>
      z.safeParse(NOTIFICATIONS[name], params).data as z.output<(typeof NOTIFICATIONS)[Name]> | undefined;
    switch (method as keyof typeof NOTIFICATIONS) {
      case 'thread/started': {
        const told = read('thread/started');
        if (told !== undefined) void this.#join(server, told.thread.id);
        break;
      }
      case 'thread/status/changed': {
        const told = read('thread/status/changed');
        if (told?.status.type === 'active') void this.#join(server, told.threadId);
        break;
      }
      case 'thread/closed': {
        const told = read('thread/closed');
        if (told !== undefined) this.#leave(told.threadId);
        break;
      }
      case 'thread/name/updated': {
        const told = read('thread/name/updated');
        const thread = told && this.#threads.get(told.threadId);
        if (thread !== undefined) thread.title = toTitle(told?.threadName) ?? thread.title;
        break;
      }
      case 'item/started':
      case 'item/completed': {
        const told = read('item/started');
        const item = told === undefined ? null : readItem(told.item);
        const thread = told && this.#threads.get(told.threadId);
        if (thread !== undefined) noteItem(thread, item);
        if (method === 'item/completed' && told !== undefined && item !== null) {
          this.#pending.itemEnded(told.threadId, item);
        }
        break;
      }
      case 'turn/completed': {
        const told = read('turn/completed');
        if (told !== undefined) this.#pending.turnEnded(told.threadId, told.turn.id);
        break;
      }
      case 'serverRequest/resolved': {
        const told = read('serverRequest/resolved');
        if (told !== undefined) this.#pending.resolved(told.threadId, told.requestId);
        break;
      }
    }
  }

  /** Joins a session, once. What is pending there is then sent to us as well. */
  async #join(server: AppServer, id: string): Promise<void> {
    if (this.#threads.has(id) || this.#threads.size >= MOST_THREADS) return;
    const ready = Promise.withResolvers<void>();
    const thread = createThread(id, ready.promise);
    this.#threads.set(id, thread);
    this.#joining.add(id);
    try {
      const resumed = await this.#resume(server, id);
      if (this.#threads.get(id) !== thread) return;
      noteResumed(thread, resumed);
      this.#joined.add(id);
      this.#tell({ ...this.#state, threads: [...this.#joined] });
      ready.resolve();
      const isWaiting = (resumed.thread.status.activeFlags ?? []).length > 0;
      if (isWaiting) await pause(SHOWN_MS, this.#stopping.signal);
      if (this.#threads.get(id) === thread) await this.#pending.endMissing((one) => one === id);
    } catch (error) {
      if (this.#threads.get(id) === thread && !this.#joined.has(id)) this.#threads.delete(id);
      if (!this.#stopping.signal.aborted && !NO_ROLLOUT.test(toMessage(error))) this.#options.onError(error);
    } finally {
      this.#joining.delete(id);
      ready.resolve();
    }
  }

  async #resume(server: AppServer, threadId: string): Promise<ResumedThread> {
    const page = this.#heavy.has(threadId)
      ? {}
      : { initialTurnsPage: { limit: 1, sortDirection: 'desc', itemsView: 'full' } };
    for (let tries = 1; ; tries += 1) {
      try {
        const reply = await server.call('thread/resume', { threadId, excludeTurns: true, ...page });
        return parse(ResumedThread, reply, { what: "Codex's reply to thread/resume" });
      } catch (error) {
        if (!NO_ROLLOUT.test(toMessage(error)) || tries >= ROLLOUT_TRIES) throw error;
        await pause(ROLLOUT_MS * 2 ** tries, this.#stopping.signal);
      }
    }
  }

  #leave(id: string): void {
    this.#threads.delete(id);
    if (this.#joined.delete(id)) this.#tell({ ...this.#state, threads: [...this.#joined] });
  }

  #tell(state: CodexState): void {
    const isSame = JSON.stringify(state) === JSON.stringify(this.#state);
    this.#state = state;
    if (!isSame) this.#options.onChange?.(state);
  }
}

function isNotRunning(error: unknown): boolean {
  const cause = error instanceof BeckonError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOENT';
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
