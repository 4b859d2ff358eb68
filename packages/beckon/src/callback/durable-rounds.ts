import { createHash, randomUUID } from 'node:crypto';
import type { Asked, Beckon } from '../core/beckon.ts';
import { answerCallback, toCallbackMetadata } from '../core/callback-interaction.ts';
import { isSameJson } from '../core/same-json.ts';
import { BeckonError } from '../protocol/errors.ts';
import { DEFAULT_CHAT_ID, Id } from '../protocol/ids.ts';
import type { AskInput, Interaction } from '../protocol/interaction.ts';
import type { Json } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { parse } from '../protocol/parse.ts';
import type { CallbackEvent } from './callback.ts';
import { toTimeoutError } from './round.ts';
import type { Rounds } from './rounds.ts';
import { type ServerOptions, ServerUse } from './server-use.ts';

/** Settings of a callback on a Beckon. */
export interface DurableRoundsOptions extends ServerOptions {
  beckon: Beckon;
  id: string | undefined;
  chatId: string | undefined;
}

/**
 * The rounds of a callback as interactions of a Beckon. Events are on disk, and any process that opens the same id
 * finds them. The first round has the id itself, the second `ID.2`, and so on. An existing round is found by its id
 * even if this agent would show other components; its event then says which were shown. A Beckon behind HTTP takes the
 * events itself, even while the agent is down; for one in this process the shared server does.
 */
export class DurableRounds implements Rounds {
  readonly #options: DurableRoundsOptions;
  readonly #use: ServerUse;
  readonly #firstId: string;
  #number = 1;
  #callbackUrl: string | undefined;
  #asked: Promise<void> | undefined;
  /** What the agent wants to show in this round; `null` if it only awaits it. */
  #components: Json = null;
  #isOver = false;
  #closing: Promise<unknown> = Promise.resolve();
  #waits = 0;

  constructor(options: DurableRoundsOptions) {
    this.#options = options;
    this.#use = new ServerUse(options);
    this.#firstId = parse(Id, options.id ?? `cb_${randomUUID()}`, { what: 'callback id' });
  }

  get id(): string {
    return this.#number === 1 ? this.#firstId : toShortId(`${this.#firstId}.${this.#number}`);
  }

  open(components: Json, timeoutMs: number): Promise<void> {
    if (this.#isOver) {
      this.#use.leave(false);
      this.#number += 1;
      this.#isOver = false;
      this.#asked = undefined;
    }
    if (this.#asked !== undefined) return this.#asked;
    this.#use.keep();
    const asked = this.#ask(components, timeoutMs);
    this.#asked = asked;
    asked.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
      void this.#use.release(false);
    });
    return asked;
  }

  callbackUrl(): string {
    if (this.#callbackUrl !== undefined) return this.#callbackUrl;
    throw new TypeError('A callback on a Beckon has its URL once it is open: await callback.open(components) first.');
  }

  async awaitEvent(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent> {
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

  /** Leaves the interaction as it is, for the next callback with the same id. */
  async close(): Promise<void> {
    // An ask under way reaches the server first; later asks wait for the end of this.
    const before = Promise.allSettled([this.#asked, this.#closing]);
    this.#asked = undefined;
    this.#closing = before.then(() => {
      this.#callbackUrl = undefined;
      return this.#use.release(false);
    });
    await this.#closing;
  }

  async #waitFor(id: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<Interaction> {
    this.#use.keep();
    this.#waits += 1;
    try {
      const interaction = await this.#options.beckon.wait(id, { timeout: timeoutMs / 1000, ...(signal && { signal }) });
      if (id === this.id) this.#isOver = true;
      return interaction;
    } catch (error) {
      // Opening it after a timeout begins another round; awaiting it again is still for this one.
      if (id === this.id && error instanceof BeckonError && error.code === 'wait_timed_out') this.#isOver = true;
      throw error;
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#leaveAlone();
    }
  }

  /** The interaction stays; only the server is released. */
  #leaveAlone(): void {
    this.#use.leaveAlone(this.#isOver, () => {
      if (!this.#isOver) this.#asked = undefined;
      void this.#use.release(false);
    });
  }

  async #ask(components: Json, timeoutMs: number): Promise<void> {
    const { id } = this;
    const { chatId, origins, address, port } = this.#options;
    await this.#closing;
    this.#components = components;
    const asked = await this.#askOrFind({
      kind: 'component',
      id,
      idempotencyKey: toShortId(`callback:${id}`),
      request: { components },
      // Beyond loopback an id alone is no permission, so no port takes events for it.
      metadata: toCallbackMetadata({ port: address.isLoopback ? port : undefined, origins }),
      timeout: timeoutMs / 1000,
      ...(chatId !== undefined && { chatId }),
    });
    this.#callbackUrl = asked.callback_url ?? (await this.#serve(id));
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
    const { address, beckon } = this.#options;
    if (!address.isLoopback) {
      throw new BeckonError(
        'invalid_input',
        'Beyond loopback a durable callback needs a running daemon: new Http({ beckon: connectBeckon(url, { token }) }).',
      );
    }
    const server = this.#use.serve(id, (event) => answerCallback(beckon, id, event));
    server.stored.add(beckon);
    this.#leaveAlone();
    await server.listening;
    return this.#use.toCallbackUrl(id, 0);
  }
}

// An id that is too long ends in its hash, so two of them stay different.
function toShortId(text: string): string {
  if (text.length <= LIMITS.idChars) return text;
  const hash = createHash('sha256').update(text).digest('base64url');
  return `${text.slice(0, LIMITS.idChars - hash.length - 1)}~${hash}`;
}

function toReason(reason: string | undefined): string {
  return reason === undefined ? '.' : `: ${reason}`;
}
