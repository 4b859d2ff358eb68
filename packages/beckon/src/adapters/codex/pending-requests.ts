import type { Beckon } from '../../core/beckon.ts';
import { listAll } from '../../core/list-all.ts';
import { requestGroup } from '../../core/request.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Answerer, AskInput, Interaction } from '../../protocol/interaction.ts';
import { pause } from '../../timing/pause.ts';
import type { AppServer } from './app-server.ts';
import type { CodexRequest, Item } from './messages.ts';
import type { RequestId } from './rpc.ts';
import { surround } from './surround.ts';
import type { Thread } from './thread.ts';
import { toCall } from './to-call.ts';
import { type Reply, toRefusal, toReply } from './to-reply.ts';
import { toRequests } from './to-request.ts';
import { toSteer } from './to-steer.ts';

/** In whose name Codex asks, and who sits at its terminal. */
export interface Asker {
  asks: Pick<AskInput, 'askedBy' | 'askerId'>;
  person: Answerer;
}

export interface PendingRequestsOptions {
  beckon: Beckon;
  findAsker: () => Promise<Asker>;
  /** What every key begins with. */
  prefix: string;
  /** Hears of what cannot be asked or delivered. Codex then goes on by itself. */
  onError: (error: unknown) => void;
  /** How long after an answer in the terminal its effect may take to show, in milliseconds. */
  graceMs?: number;
}

/** A request of Codex that people are being asked, or were and Codex has not heard of it. */
interface Open {
  key: string;
  request: CodexRequest;
  thread: Thread;
  /** Its number at the server; `undefined` while we do not know whether the server still has it. */
  requestId: RequestId | undefined;
  controller: AbortController;
  ids: string[];
  reply?: Reply;
  isSteered?: boolean;
  isDelivered?: boolean;
  /** Answered or ended at the terminal: nothing is left to say to Codex. */
  isOver?: boolean;
  /** Why it ended, for the people who were asked. */
  endReason?: string;
  /** What was answered in the terminal, as far as what became of the call shows it. */
  outcome?: 'allow' | 'deny';
  grace?: NodeJS.Timeout;
}

/** More than a person could answer: whoever sends more is left alone with it. */
const MOST_OPEN = 200;
const GRACE_MS = 500;
const RETRY_MS = 2000;
const ELSEWHERE = "It was answered in Codex's terminal";
const TURN_OVER = 'The turn of Codex that waited for it has ended';
const NOT_WAITING = 'Codex no longer waits for it';

/** Asks people what Codex asks, and tells Codex their answers: the first one counts, here or in its terminal. */
export class PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #open = new Map<string, Open>();
  #server: Pick<AppServer, 'call' | 'reply'> | undefined;
  /** Whether the token may list requests; agents elsewhere may not. */
  #mayList = true;

  constructor(options: PendingRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  connected(server: Pick<AppServer, 'call' | 'reply'>): void {
    this.#server = server;
  }

  /** The requests stay: only the server can tell whether it still has them. */
  disconnected(): void {
    this.#server = undefined;
    for (const open of this.#open.values()) open.requestId = undefined;
  }

  /** Takes in a request, for the first time or once more. */
  take(key: string, requestId: RequestId, request: CodexRequest, thread: Thread): void {
    const known = this.#open.get(key);
    if (known !== undefined) {
      known.requestId = requestId;
      void this.#deliver(known);
      return;
    }
    if (this.#open.size >= MOST_OPEN) return;
    const open: Open = { key, request, thread, requestId, controller: new AbortController(), ids: [] };
    this.#open.set(key, open);
    this.#hold(open).catch((error: unknown) => {
      this.#forget(open);
      this.#options.onError(error);
    });
  }

  /** A request was answered: by us, or in the terminal. */
  resolved(threadId: string, requestId: RequestId): void {
    const open = this.#find((one) => one.requestId === requestId && one.request.params.threadId === threadId);
    if (open === undefined) return;
    if (open.isDelivered === true) return this.#forget(open);
    if (open.reply !== undefined) return this.#giveUp(open, ELSEWHERE);
    const showsOutcome = open.request.method.endsWith('/requestApproval') && toItemId(open) !== undefined;
    if (!showsOutcome) return this.#end(open, ELSEWHERE);
    open.isOver = true;
    if (open.outcome !== undefined) return this.#settle(open);
    // Until then, nobody knows what was answered.
    open.grace = setTimeout(() => this.#settle(open), this.#options.graceMs ?? GRACE_MS);
  }

  /** An item has ended, which shows what was answered about it. */
  itemEnded(threadId: string, item: Item): void {
    const outcome = toOutcome(item);
    if (outcome === null) return;
    const open = this.#find((one) => one.request.params.threadId === threadId && toItemId(one) === item.id);
    if (open === undefined || open.isDelivered === true) return;
    open.outcome = outcome;
    if (open.grace !== undefined) this.#settle(open);
  }

  /** A turn has ended, and with it what it waited for. */
  turnEnded(threadId: string, turnId: string): void {
    for (const open of this.#open.values()) {
      const { params } = open.request;
      if (params.threadId !== threadId || params.turnId !== turnId) continue;
      if (open.grace !== undefined) this.#settle(open);
      else this.#leave(open, TURN_OVER);
    }
  }

  /** Ends what the server no longer has: it has told us of everything else in these threads. */
  async endMissing(isGone: (threadId: string) => boolean): Promise<void> {
    for (const open of this.#open.values()) {
      if (open.requestId === undefined && isGone(open.request.params.threadId)) this.#leave(open, NOT_WAITING);
    }
    await this.#endOrphans(isGone);
  }

  /** Leaves everything pending, for the next start. */
  stop(): void {
    for (const { controller, grace } of this.#open.values()) {
      clearTimeout(grace);
      controller.abort(new BeckonError('closed', 'Beckon stops; what Codex asked stays.'));
    }
    this.#open.clear();
  }

  async #hold(open: Open): Promise<void> {
    const { request, thread } = open;
    await thread.ready;
    const call = toCall(request, thread);
    const requests = toRequests(request, call);
    if (requests.length === 0 || isOver(open)) return this.#forget(open);
    const { context, mark, findChange } = surround(request, call, thread);
    const { asks } = await this.#options.findAsker();
    const { turnId } = request.params;
    const settled = await this.#ask(
      open,
      requests.map((asked, index) => ({
        ...asked,
        ...asks,
        sessionId: request.params.threadId,
        ...(requests.length > 1 && { groupId: open.key }),
        idempotencyKey: `${open.key}:${index}`,
        ...(context !== undefined && { context }),
        metadata: {
          agent: 'codex',
          ...(thread.folder !== undefined && { cwd: thread.folder }),
          ...(turnId !== null && { turnId }),
          ...(mark !== undefined && { files: mark }),
        },
      })),
    );
    if (settled === null) return this.#forget(open);
    if (isOver(open)) {
      this.#forget(open);
      return this.#noteLate(open, ELSEWHERE);
    }
    const reply = toReply(request, call, settled);
    if (reply === null) return this.#forget(open);
    const changed = reply.isAllowed === true ? findChange(settled) : null;
    open.reply = reply;
    if (changed !== null) {
      await this.#withhold(open, changed);
      const refusal = toRefusal(request, changed);
      if (refusal === null) return this.#forget(open);
      open.reply = refusal;
    }
    await this.#deliver(open);
  }

  /** Asks and waits, as long as Codex does. `null`: it ended, and nobody is asked any more. */
  async #ask(open: Open, asks: readonly AskInput[]): Promise<Interaction[] | null> {
    const { signal } = open.controller;
    for (;;) {
      try {
        return await requestGroup(this.#options.beckon, asks, {
          signal,
          keep: true,
          onAsked: (asked) => {
            open.ids = asked.map(({ id }) => id);
          },
        });
      } catch (error) {
        if (open.endReason !== undefined) {
          await this.#supersede(open.ids, open.endReason);
          await this.#noteLate(open, open.endReason);
        }
        if (signal.aborted) return null;
        // A Beckon elsewhere may come back; Codex waits.
        if (!(error instanceof BeckonError) || error.status < 500 || error.code === 'closed') throw error;
        this.#options.onError(error);
        await pause(RETRY_MS, signal).catch(() => undefined);
      }
    }
  }

  async #deliver(open: Open): Promise<void> {
    const { reply, request } = open;
    const server = this.#server;
    if (reply === undefined || server === undefined || open.requestId === undefined || isOver(open)) return;
    const steer = reply.steer === undefined || open.isSteered === true ? null : toSteer(request, reply.steer);
    if (steer !== null) {
      open.isSteered = true;
      // Before the refusal, so that the model reads both at once. Without it, a refusal is still one.
      await server.call('turn/steer', steer).catch(this.#options.onError);
      if (this.#server !== server || this.#open.get(open.key) !== open) return;
    }
    if (open.requestId === undefined) return;
    server.reply(open.requestId, reply.result);
    open.isDelivered = true;
  }

  /** Records what was answered in the terminal, if that shows; else that it was. */
  #settle(open: Open): void {
    const { outcome, ids } = open;
    const [id] = ids;
    if (outcome === undefined || id === undefined) return this.#end(open, ELSEWHERE);
    this.#forget(open);
    this.#record(open, id, outcome).catch(this.#options.onError);
  }

  async #record(open: Open, id: string, decision: 'allow' | 'deny'): Promise<void> {
    const { person } = await this.#options.findAsker();
    try {
      await this.#options.beckon.answer(id, { decision }, person);
    } catch (error) {
      // An agent elsewhere may ask, not answer.
      if (!(error instanceof BeckonError) || error.code !== 'forbidden') throw error;
      this.#end(open, ELSEWHERE);
    }
  }

  /** Ends a request that Codex does not wait for any more, or notes that its answer came too late. */
  #leave(open: Open, reason: string): void {
    if (open.isDelivered === true) this.#forget(open);
    else if (open.reply === undefined) this.#end(open, reason);
    else this.#giveUp(open, reason);
  }

  #end(open: Open, reason: string): void {
    open.isOver = true;
    open.endReason = reason;
    this.#forget(open);
    open.controller.abort(new Error(reason));
  }

  #giveUp(open: Open, reason: string): void {
    open.isOver = true;
    this.#forget(open);
    if (open.reply?.isAllowed === true) this.#withhold(open, reason).catch(this.#options.onError);
  }

  #forget(open: Open): void {
    clearTimeout(open.grace);
    if (this.#open.get(open.key) === open) this.#open.delete(open.key);
  }

  async #withhold({ ids }: Open, reason: string): Promise<void> {
    for (const id of ids) await this.#options.beckon.note(id, { type: 'withheld', reason });
  }

  /** Notes that a person's "allow" came after Codex had stopped waiting for it. */
  async #noteLate(open: Open, reason: string): Promise<void> {
    for (const id of open.ids) {
      const now = await this.#options.beckon.get<'approval'>(id);
      const isLate = now?.answer?.decision === 'allow' && now.answeredBy?.via !== 'terminal';
      if (isLate) await this.#options.beckon.note(id, { type: 'withheld', reason });
    }
  }

  async #supersede(ids: readonly string[], reason: string): Promise<void> {
    await Promise.all(ids.map((id) => this.#options.beckon.supersede(id, reason)));
  }

  /** Ends what an earlier process asked for and the server no longer has. */
  async #endOrphans(isGone: (threadId: string) => boolean): Promise<void> {
    if (!this.#mayList) return;
    const { beckon, prefix } = this.#options;
    try {
      for await (const items of listAll((filter) => beckon.list(filter), { status: 'pending' })) {
        const orphans = items.filter(({ idempotencyKey: key = '', sessionId = '' }) => {
          return key.startsWith(prefix) && isGone(sessionId) && !this.#open.has(key.slice(0, key.lastIndexOf(':')));
        });
        await this.#supersede(
          orphans.map(({ id }) => id),
          NOT_WAITING,
        );
      }
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'forbidden') throw error;
      this.#mayList = false;
    }
  }

  #find(matches: (open: Open) => boolean): Open | undefined {
    return [...this.#open.values()].find(matches);
  }
}

/** What must have been answered; `null` if that is not certain. What failed without an exit code may never have run. */
function toOutcome(item: Item): 'allow' | 'deny' | null {
  if (!('status' in item)) return null;
  if (item.status === 'declined') return 'deny';
  const hasFailed = item.type === 'commandExecution' && item.status === 'failed' && typeof item.exitCode === 'number';
  return item.status === 'completed' || hasFailed ? 'allow' : null;
}

function toItemId({ request: { params } }: Open): string | undefined {
  return 'itemId' in params ? params.itemId : undefined;
}

// It may become true while something is awaited, which the compiler does not expect of a field.
function isOver(open: Open): boolean {
  return open.isOver === true;
}
