import { createHash, randomUUID } from 'node:crypto';
import type { Asked, Beckon } from '../core/beckon.ts';
import { isSameJson } from '../core/same-json.ts';
import { BeckonError } from '../protocol/errors.ts';
import { DEFAULT_CHAT_ID, Id } from '../protocol/ids.ts';
import type { AskInput, Interaction } from '../protocol/interaction.ts';
import type { Json } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { parse } from '../protocol/parse.ts';
import { startTimer } from '../timing/timer.ts';
import type { Address } from './addresses.ts';
import type { CallbackEvent } from './callback.ts';
import { keepCallbacks, toKeptEntry, toKeptMetadata } from './kept-callbacks.ts';
import { ABANDONED_MS, LINGER_MS, type Line } from './line.ts';
import { toTimeoutError } from './round.ts';
import { type SharedServer, useServer } from './shared-server.ts';

/** What a callback on a Beckon is made from. */
export interface DurableLineOptions {
  beckon: Beckon;
  id: string | undefined;
  chatId: string | undefined;
  address: Address;
  port: number;
  origins: readonly string[];
}

/**
 * A callback that is an interaction of a Beckon: what the person did is on disk, and whoever opens the same id finds it, also
 * in another process. The first round has the id itself, the second `ID.2`, and so on. A round that is there already is found by its id, also
 * where this agent would show other components: its event then says which were shown. A Beckon behind HTTP takes the clicks
 * itself, also while the agent is down; for one in this process the shared server takes them, those for other rounds included.
 */
export class DurableLine implements Line {
  readonly #options: DurableLineOptions;
  readonly #firstId: string;
  #number = 1;
  #url: string | undefined;
  #asked: Promise<void> | undefined;
  /** What the agent wants to show in this round; `null` where it only awaits it. */
  #components: Json = null;
  #isOver = false;
  #server: SharedServer | undefined;
  /** The id that it has at the server. */
  #servedId: string | undefined;
  #closing: Promise<unknown> = Promise.resolve();
  #waits = 0;
  #stopTimer: () => void = () => undefined;

  constructor(options: DurableLineOptions) {
    this.#options = options;
    this.#firstId = parse(Id, options.id ?? `cb_${randomUUID()}`, { what: 'callback id' });
  }

  get id(): string {
    return this.#number === 1 ? this.#firstId : toShortId(`${this.#firstId}.${this.#number}`);
  }

  open(components: Json, timeoutMs: number): Promise<void> {
    if (this.#isOver) {
      this.#leave();
      this.#number += 1;
      this.#isOver = false;
      this.#asked = undefined;
    }
    if (this.#asked !== undefined) return this.#asked;
    // The server of the last round is needed again.
    this.#stopTimer();
    const asked = this.#ask(components, timeoutMs);
    this.#asked = asked;
    asked.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
      void this.#letGo();
    });
    return asked;
  }

  url(): string {
    if (this.#url !== undefined) return this.#url;
    throw new TypeError(
      'The address of a callback on a Beckon is known when it is asked: await callback.open(components) first.',
    );
  }

  async wait(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent> {
    if (this.#asked === undefined) await this.open(null, timeoutMs);
    else await this.#asked;
    const { id } = this;
    const interaction = await this.#waitFor(id, timeoutMs, signal);
    if (interaction.kind === 'component' && interaction.answer !== undefined) {
      const { components: shown } = interaction.request;
      const isOther = this.#components !== null && !isSameJson(shown, this.#components);
      return { ...interaction.answer, ...(isOther && { shown }) };
    }
    if (interaction.status === 'expired') throw toTimeoutError(timeoutMs);
    throw new BeckonError('closed', `The callback ${id} was ${interaction.status}${toReason(interaction.reason)}`);
  }

  /** Leaves the interaction as it is: whoever opens the same id goes on with it. */
  async close(): Promise<void> {
    // What is being asked comes to the server first; what is asked from now on waits for the end.
    const before = Promise.allSettled([this.#asked, this.#closing]);
    this.#asked = undefined;
    this.#closing = before.then(() => {
      this.#url = undefined;
      return this.#letGo();
    });
    await this.#closing;
  }

  async #waitFor(id: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<Interaction> {
    this.#stopTimer();
    this.#waits += 1;
    try {
      const interaction = await this.#options.beckon.wait(id, { timeout: timeoutMs / 1000, ...(signal && { signal }) });
      if (id === this.id) this.#isOver = true;
      return interaction;
    } catch (error) {
      // Whoever opens it after that means another round; whoever awaits it again still means this one.
      if (id === this.id && error instanceof BeckonError && error.code === 'wait_timed_out') this.#isOver = true;
      throw error;
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#watch();
    }
  }

  /** Nobody awaits it: after a while its place at the server is given back. The interaction stays. */
  #watch(): void {
    this.#stopTimer();
    if (this.#server === undefined) return;
    const ms = this.#isOver ? LINGER_MS : ABANDONED_MS;
    this.#stopTimer = startTimer(
      ms,
      () => {
        if (!this.#isOver) this.#asked = undefined;
        void this.#letGo();
      },
      { isQuiet: true },
    );
  }

  async #letGo(): Promise<void> {
    this.#stopTimer();
    this.#leave();
    const server = this.#server;
    this.#server = undefined;
    await server?.release();
  }

  #leave(): void {
    if (this.#servedId !== undefined) this.#server?.remove(this.#servedId, false);
    this.#servedId = undefined;
  }

  async #ask(components: Json, timeoutMs: number): Promise<void> {
    const { id } = this;
    const { chatId, origins } = this.#options;
    await this.#closing;
    this.#components = components;
    const asked = await this.#askOrFind({
      kind: 'component',
      id,
      idempotencyKey: toShortId(`callback:${id}`),
      request: { components },
      ...toKeptMetadata(this.#options, origins),
      timeout: timeoutMs / 1000,
      ...(chatId !== undefined && { chatId }),
    });
    this.#url = asked.callback_url ?? (await this.#serve(id));
  }

  async #askOrFind(input: AskInput): Promise<Asked> {
    const { beckon } = this.#options;
    try {
      return await beckon.ask(input);
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'key_reused') throw error;
      const earlier = await beckon.get(this.id);
      // The same id in another conversation is not this callback.
      if (earlier?.kind !== 'component' || earlier.chatId !== (input.chatId ?? DEFAULT_CHAT_ID)) throw error;
      return await beckon.ask({ ...input, kind: 'component', request: earlier.request });
    }
  }

  async #serve(id: string): Promise<string> {
    const { address, port, origins, beckon } = this.#options;
    if (!address.isLoopback) {
      throw new BeckonError(
        'invalid_input',
        'Beyond loopback a durable callback needs a running daemon: new Http({ beckon: connectBeckon(url, { token }) }).',
      );
    }
    const isNew = this.#server === undefined;
    const server = this.#server ?? useServer(address, port);
    server.add(id, toKeptEntry(beckon, id, origins));
    if (isNew) server.hold();
    this.#server = server;
    this.#servedId = id;
    keepCallbacks(beckon, this.#options);
    this.#watch();
    await server.listening;
    return `http://${address.name}:${server.port}/callback/${encodeURIComponent(id)}`;
  }
}

// What is too long for an id ends in its hash, so that two of them stay two.
function toShortId(text: string): string {
  if (text.length <= LIMITS.idChars) return text;
  const hash = createHash('sha256').update(text).digest('base64url');
  return `${text.slice(0, LIMITS.idChars - hash.length - 1)}~${hash}`;
}

function toReason(reason: string | undefined): string {
  return reason === undefined ? '.' : `: ${reason}`;
}
