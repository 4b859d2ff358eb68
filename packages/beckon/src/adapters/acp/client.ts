import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Beckon } from '../../core/beckon.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type Asking, startAsking, toText } from './asking.ts';
import { LineWriter, readLines } from './lines.ts';
import { type Message, ownString, parseMessage } from './messages.ts';
import { CANCELLED } from './permission.ts';
import { Talk, toKey } from './talk.ts';
import { type AcpOptions, toAsks } from './to-asks.ts';
import { asksPerson, toRequest } from './to-request.ts';
import { isAllowed } from './translated.ts';

/** The agent to talk to, and where people are asked. */
export interface ClientOptions extends AcpOptions {
  agent: { input: Writable; output: Readable };
  connect: () => Promise<Beckon>;
  /** Hears each `session/update` of the agent. */
  onUpdate: (params: JsonObject) => void;
  /** Hears why something was refused without a person's word. */
  onTrouble: (why: string) => void;
}

/** What went wrong in the agent, in its own words. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';
}

const METHOD_NOT_FOUND = -32_601;

/** Beckon as the client of an agent, without an editor: people decide in Beckon, and what nobody decides is refused. */
export class AcpClient {
  readonly #options: ClientOptions;
  readonly #toAgent: LineWriter;
  readonly #talk = new Talk();
  readonly #calls = new Map<string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  readonly #open = new Map<string, Asking>();
  readonly #runId = `acp_${randomUUID()}`;
  #count = 0;
  #isOver = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#toAgent = new LineWriter(options.agent.input);
  }

  /** Reads what the agent says, until it says no more. Calls that it did not answer are rejected then. */
  async run(): Promise<void> {
    try {
      for await (const { text } of readLines(this.#options.agent.output)) {
        const message = text === undefined ? null : parseMessage(text);
        if (message !== null) this.#hear(message);
      }
    } catch {
      // A broken pipe is the end.
    }
    this.#isOver = true;
    for (const { reject } of this.#calls.values()) reject(toEnded());
    await this.endAsks('The agent has ended');
  }

  /** Calls a method of the agent. Rejects with `AgentFailure` if it fails, or ends first. */
  call(method: string, params: JsonObject): Promise<unknown> {
    if (this.#isOver) return Promise.reject(toEnded());
    this.#count += 1;
    const message: Message = { id: this.#count, method, params };
    this.#talk.hearClient(message);
    return new Promise((resolve, reject) => {
      this.#calls.set(toKey(message.id ?? null), { resolve, reject });
      this.#toAgent.send(message);
    });
  }

  notify(method: string, params: JsonObject): void {
    this.#toAgent.send({ method, params });
  }

  /** Ends what people are asked; the agent is told no. */
  async endAsks(reason: string): Promise<void> {
    await Promise.all([...this.#open.values()].map((asking) => asking.end(reason)));
  }

  /** Tells the agent that nothing more comes. */
  close(): void {
    this.#toAgent.end();
  }

  #hear(message: Message): void {
    const { id, method, params } = message;
    this.#talk.hearAgent(message);
    if (method === undefined) return this.#settle(message);
    if (id === undefined) {
      if (method === 'session/update' && params !== undefined) this.#options.onUpdate(params);
      else if (method === '$/cancel_request') this.#cancel(params?.['requestId']);
      return;
    }
    if (asksPerson(message)) void this.#answer(message);
    else this.#toAgent.send({ id, error: { code: METHOD_NOT_FOUND, message: `Beckon has no method ${method}` } });
  }

  #settle({ id, result, error }: Message): void {
    const key = toKey(id ?? null);
    const call = this.#calls.get(key);
    this.#calls.delete(key);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new AgentFailure(describe(error)));
  }

  async #answer(message: Message): Promise<void> {
    const { id = null, method } = message;
    const translated = toRequest(message, this.#talk);
    const key = toKey(id);
    // It cannot be told which of two requests with one id an answer would be for, and what Beckon cannot ask nobody can
    // allow.
    const isTwin = this.#open.has(key);
    const refusal = translated?.refusal ?? (method === 'elicitation/create' ? { action: 'cancel' } : CANCELLED);
    if (translated === null || isTwin) {
      this.#toAgent.send({ id, result: refusal });
      this.#options.onTrouble(`The agent asked something that Beckon cannot ask people (${method}). It was refused.`);
      return;
    }
    this.#count += 1;
    const place = { talk: this.#talk, key: `${this.#runId}_${this.#count}`, options: this.#options };
    const { inputs, findChange } = toAsks(translated, message, place);
    const asking = startAsking(this.#options.connect, inputs, 'agent');
    this.#open.set(key, asking);
    try {
      const settled = (await asking.settled) ?? [];
      const result = settled.length === 0 ? null : translated.toResult(settled);
      const changed = result !== null && isAllowed(settled) ? findChange(settled) : null;
      this.#toAgent.send({ id, result: changed === null && result !== null ? result : refusal });
      if (changed !== null)
        await this.#withhold(
          settled.map((one) => one.id),
          changed,
        );
    } catch (error) {
      this.#toAgent.send({ id, result: refusal });
      this.#options.onTrouble(`${toText(error)} What the agent asked was refused.`);
    } finally {
      this.#open.delete(key);
    }
  }

  async #withhold(ids: readonly string[], reason: string): Promise<void> {
    this.#options.onTrouble(reason);
    const beckon = await this.#options.connect();
    for (const id of ids) await beckon.note(id, { type: 'withheld', reason });
  }

  #cancel(id: unknown): void {
    const asking = typeof id === 'string' || typeof id === 'number' ? this.#open.get(toKey(id)) : undefined;
    void asking?.end('The agent no longer waits for it');
  }
}

function toEnded(): AgentFailure {
  return new AgentFailure('it ended before it answered.');
}

function describe(error: unknown): string {
  const data = typeof error === 'object' && error !== null && 'data' in error ? ` ${JSON.stringify(error.data)}` : '';
  return `${ownString(error, 'message') ?? JSON.stringify(error)}${data}`.slice(0, 500);
}
