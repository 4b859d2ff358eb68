import type { QueryClient } from '@tanstack/react-query';
import type { Beckon } from 'beckon/client';
import { type Interaction, LIMITS } from 'beckon/protocol';
import { Connection } from './connection.ts';
import { keys } from './keys.ts';
import { pause } from './pause.ts';
import { addEvent, type Changes, changePending, NO_PENDING, noChanges, type Pending } from './pending.ts';

/** Events that come close together are handled together. */
const GATHER_MS = 40;
/** Up to this many new requests are read one by one; more are read as pages. */
const SINGLE_READS = 4;
/** How long to wait after the server could not be reached. */
const PAUSE_MS = 2000;

/** Is told which requests arrive and settle while the page is open. */
export interface InboxListener {
  onArrived(interactions: readonly Interaction[]): void;
  onSettled(ids: readonly string[]): void;
}

interface InboxOptions {
  beckon: Beckon;
  /** The login of this browser. */
  device: string;
  queries: QueryClient;
  onLoggedOut: () => void;
}

/**
 * Keeps the page up to date. It reads the pending list page by page, then follows the log from the position of the
 * first page, so it misses nothing in between. Everything goes into the query cache; views read no other state.
 */
export class Inbox {
  readonly connection: Connection;
  readonly #beckon: Beckon;
  readonly #queries: QueryClient;
  readonly #listeners = new Set<InboxListener>();
  readonly #stopping = new AbortController();
  #changes: Changes = noChanges();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #loading = Promise.resolve();
  /** Requests that settled while pages were loading, which may still list them. `null` once all pages are there. */
  #settledWhileLoading: Set<string> | null = new Set();

  constructor({ beckon, device, queries, onLoggedOut }: InboxOptions) {
    this.#beckon = beckon;
    this.#queries = queries;
    this.connection = new Connection({
      beckon,
      device,
      onEvent: (event) => {
        addEvent(this.#changes, event);
        this.#gather();
      },
      onBack: () => this.#refresh(),
      onGap: () => {
        this.#loading = this.#loading.then(() => this.#load());
        this.#refresh();
      },
      onLoggedOut,
    });
  }

  /** Starts to load and to follow. Call it once. */
  start(): void {
    this.#loading = this.#load();
  }

  /** Stops everything and ignores later events. */
  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    this.connection.stop();
  }

  /** Takes the client's reports of a lost connection. */
  onError(): void {
    this.connection.onError();
  }

  /** Whether a request is pending as far as is known now, a moment before views are drawn again. */
  isPending(id: string): boolean {
    return this.#get().items.has(id);
  }

  listen(listener: InboxListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes over a reply, so the page need not wait for the event. */
  take(interaction: Interaction): void {
    this.#queries.setQueryData(keys.interaction(interaction.id), interaction);
    this.#queries.setQueriesData<Interaction[]>({ queryKey: keys.groups }, (group) =>
      group?.map((one) => (one.id === interaction.id ? interaction : one)),
    );
    if (interaction.status !== 'pending') this.#settledWhileLoading?.add(interaction.id);
    this.#change({ add: [interaction] });
  }

  /** Removes requests that have ended. */
  drop(ids: readonly string[]): void {
    for (const id of ids) this.#settledWhileLoading?.add(id);
    this.#change({ remove: new Set(ids) });
    for (const id of ids) void this.#queries.invalidateQueries({ queryKey: keys.interaction(id) });
  }

  async #load(): Promise<void> {
    const filter = { status: 'pending', limit: LIMITS.pageItems } as const;
    const gone = new Set(this.#get().items.keys());
    this.#settledWhileLoading = new Set();
    let after: string | undefined;
    let isFirst = true;
    for (;;) {
      const page = await this.#tryToList({ ...filter, ...(after !== undefined && { after }) });
      if (page === null) return;
      if (isFirst) this.connection.start(page.lastSeq);
      isFirst = false;
      for (const { id } of page.items) gone.delete(id);
      const settled = this.#settledWhileLoading;
      this.#change({ add: page.items.filter(({ id }) => !settled.has(id)) });
      if (page.next === undefined) break;
      after = page.next;
    }
    this.#settledWhileLoading = null;
    this.#set({ ...this.#get(), isComplete: true });
    // Requests that are on no page any more have settled unnoticed.
    this.#settle(gone);
  }

  // The client retries for half a minute. This continues until `stop`.
  async #tryToList(filter: Parameters<Beckon['list']>[0]): Promise<Awaited<ReturnType<Beckon['list']>> | null> {
    for (;;) {
      const isSlow = setTimeout(() => this.connection.setLost(), PAUSE_MS);
      try {
        const page = await this.#beckon.list(filter);
        if (this.#stopping.signal.aborted) return null;
        return page;
      } catch (error) {
        if (this.#stopping.signal.aborted || this.connection.isRefused(error)) return null;
        this.connection.setLost();
        await pause(PAUSE_MS);
      } finally {
        clearTimeout(isSlow);
      }
    }
  }

  #gather(pauseMs = GATHER_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, pauseMs);
  }

  async #flush(): Promise<void> {
    if (this.#isReading) return this.#gather();
    const changes = this.#changes;
    this.#changes = noChanges();
    for (const id of changes.settled) this.#settledWhileLoading?.add(id);
    this.#settle(changes.settled);
    this.#invalidate(changes);
    if (changes.wanted.size > 0) await this.#read(changes.wanted);
  }

  #settle(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return;
    this.#change({ remove: ids });
    for (const listener of this.#listeners) listener.onSettled([...ids]);
  }

  // Only events change the pending list.
  #refresh(): void {
    void this.#queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.pending[0] });
  }

  async #read(wanted: Set<string>): Promise<void> {
    this.#isReading = true;
    try {
      const known = this.#get().items;
      const read = (await this.#fetch(wanted)).filter(({ id }) => !this.#changes.settled.has(id));
      for (const interaction of read) this.#queries.setQueryData(keys.interaction(interaction.id), interaction);
      this.#change({ add: read });
      const arrived = read.filter(({ id, status }) => status === 'pending' && !known.has(id));
      if (arrived.length > 0) for (const listener of this.#listeners) listener.onArrived(arrived);
    } catch (error) {
      if (this.#stopping.signal.aborted || this.connection.isRefused(error)) return;
      for (const id of wanted) if (!this.#changes.settled.has(id)) this.#changes.wanted.add(id);
      this.#gather(PAUSE_MS);
    } finally {
      this.#isReading = false;
    }
  }

  // Many requests are read as pages, because they are the newest. Those on no page are read one by one.
  async #fetch(wanted: ReadonlySet<string>): Promise<Interaction[]> {
    const found: Interaction[] = [];
    const missing = new Set(wanted);
    const pages = wanted.size <= SINGLE_READS ? 0 : Math.ceil(wanted.size / LIMITS.pageItems) + 1;
    let after: string | undefined;
    for (let count = 0; count < pages && missing.size > 0; count += 1) {
      const page = await this.#beckon.list({
        status: 'pending',
        limit: LIMITS.pageItems,
        ...(after !== undefined && { after }),
      });
      for (const interaction of page.items) if (missing.delete(interaction.id)) found.push(interaction);
      if (page.next === undefined) break;
      after = page.next;
    }
    for (const ids of toChunks([...missing], SINGLE_READS)) {
      const read = await Promise.all(ids.map((id) => this.#beckon.get(id)));
      found.push(...read.filter((interaction) => interaction !== null));
    }
    return found;
  }

  #invalidate({ settled, logged, sessions, wanted, isRenamed, isRuled }: Changes): void {
    for (const id of settled) void this.#queries.invalidateQueries({ queryKey: keys.interaction(id) });
    for (const id of logged) void this.#queries.invalidateQueries({ queryKey: keys.log(id) });
    for (const id of sessions) void this.#queries.invalidateQueries({ queryKey: keys.sessionLog(id) });
    if (sessions.size > 0) void this.#queries.invalidateQueries({ queryKey: keys.sessions });
    if (isRenamed) void this.#queries.invalidateQueries({ queryKey: keys.titles });
    if (isRuled) void this.#queries.invalidateQueries({ queryKey: keys.rules });
    if (settled.size + wanted.size === 0) return;
    void this.#queries.invalidateQueries({ queryKey: keys.groups });
    void this.#queries.invalidateQueries({ queryKey: ['history-counts'] });
    // A history with several loaded pages is left alone: reloading them all would be slow and move the list.
    void this.#queries.invalidateQueries({
      queryKey: keys.histories,
      predicate: ({ state }) => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= 1,
    });
  }

  #change(change: Parameters<typeof changePending>[1]): void {
    this.#set(changePending(this.#get(), change));
  }

  #get(): Pending {
    return this.#queries.getQueryData<Pending>(keys.pending) ?? NO_PENDING;
  }

  #set(pending: Pending): void {
    this.#queries.setQueryData<Pending>(keys.pending, pending);
  }
}

function toChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
