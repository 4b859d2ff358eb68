import { randomUUID } from 'node:crypto';
import type { AnswerResult, Beckon } from '../core/beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import { Id } from '../protocol/ids.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Json } from '../protocol/json.ts';
import { parse } from '../protocol/parse.ts';
import type { Address } from './addresses.ts';
import type { CallbackEvent } from './callback.ts';
import { ABANDONED_MS, LINGER_MS, type Line } from './line.ts';
import { toTimeoutError } from './round.ts';
import { type SharedServer, useServer } from './shared-server.ts';
import { startTimer } from './timer.ts';

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
 * in another process. The first round has the id itself, the second `ID.2`, and so on. A Beckon behind HTTP takes the clicks
 * itself, also while the agent is down; for one in this process the shared server takes them.
 */
export class DurableLine implements Line {
  readonly #options: DurableLineOptions;
  readonly #firstId: string;
  #number = 1;
  #url: string | undefined;
  #asked: Promise<void> | undefined;
  #isOver = false;
  #server: SharedServer | undefined;
  #waits = 0;
  #stopTimer: () => void = () => undefined;

  constructor(options: DurableLineOptions) {
    this.#options = options;
    this.#firstId = parse(Id, options.id ?? `cb_${randomUUID()}`, { what: 'callback id' });
  }

  get id(): string {
    return this.#number === 1 ? this.#firstId : `${this.#firstId}.${this.#number}`;
  }

  open(components: Json, timeoutMs: number): Promise<void> {
    if (this.#isOver) {
      this.#server?.remove(this.id, true);
      this.#number += 1;
      this.#isOver = false;
      this.#asked = undefined;
    }
    this.#asked ??= this.#ask(components, timeoutMs);
    return this.#asked;
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
    if (interaction.kind === 'component' && interaction.answer !== undefined) return interaction.answer;
    if (interaction.status === 'expired') throw toTimeoutError(timeoutMs);
    throw new BeckonError('closed', `The callback ${id} was ${interaction.status}${toReason(interaction.reason)}`);
  }

  /** Leaves the interaction as it is: whoever opens the same id goes on with it. */
  async close(): Promise<void> {
    this.#asked = undefined;
    this.#url = undefined;
    await this.#letGo();
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
    const server = this.#server;
    this.#server = undefined;
    server?.remove(this.id, this.#isOver);
    await server?.release();
  }

  async #ask(components: Json, timeoutMs: number): Promise<void> {
    const { beckon, chatId } = this.#options;
    const { id } = this;
    try {
      const asked = await beckon.ask({
        kind: 'component',
        id,
        idempotencyKey: `callback:${id}`.slice(0, 200),
        request: { components },
        timeout: timeoutMs / 1000,
        ...(chatId !== undefined && { chatId }),
      });
      this.#url = asked.callback_url ?? (await this.#serve(id));
    } catch (error) {
      this.#asked = undefined;
      throw error;
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
    server.add(id, {
      origins,
      take: async (event) => toVerdict(await beckon.answer(id, event, { who: 'somebody', via: 'callback' })),
    });
    if (isNew) server.hold();
    this.#server = server;
    this.#watch();
    await server.listening;
    return `http://${address.name}:${server.port}/callback/${encodeURIComponent(id)}`;
  }
}

function toVerdict({ result, interaction }: AnswerResult): void {
  if (result === 'accepted' || result === 'repeated') return;
  if (result === 'lost') {
    throw new BeckonError('answer_lost', 'This callback has its event already; the first one counts.');
  }
  if (result === 'late') throw new BeckonError('answer_late', `It was ${interaction?.status} before.`);
  throw new BeckonError('interaction_not_found', 'Beckon does not know this callback.');
}

function toReason(reason: string | undefined): string {
  return reason === undefined ? '.' : `: ${reason}`;
}
