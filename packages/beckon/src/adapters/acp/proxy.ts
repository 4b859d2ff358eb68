import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Beckon } from '../../core/beckon.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { type Asking, startAsking, toText } from './asking.ts';
import { LineWriter, type Piece, readLines } from './lines.ts';
import { type Message, ownString, parseMessage, type RequestId } from './messages.ts';
import { Talk, toKey } from './talk.ts';
import { type AcpOptions, type PreparedAsks, toAsks } from './to-asks.ts';
import { asksPerson, toRequest } from './to-request.ts';
import { isAllowed, type Translated } from './translated.ts';

/** What a proxy stands between, and where it asks people. */
export interface ProxyOptions extends AcpOptions {
  editor: { input: Readable; output: Writable };
  agent: { input: Writable; output: Readable };
  /** Gives the Beckon to ask. It is called for each request, so Beckon may come up later. */
  connect: () => Promise<Beckon>;
  /** Hears why people could not be asked. */
  onTrouble: (why: string) => void;
}

/** A request that waits for the editor and for Beckon. */
interface Open {
  id: RequestId;
  sessionId: string | undefined;
  translated: Translated;
  asking: Asking;
}

/**
 * Stands between an editor and its agent. Every message goes through as it came. What the agent asks a person also goes
 * to Beckon: the first answer counts, and the other side hears that it is over.
 */
export class AcpProxy {
  readonly #options: ProxyOptions;
  readonly #toEditor: LineWriter;
  readonly #toAgent: LineWriter;
  readonly #talk = new Talk();
  readonly #open = new Map<string, Open>();
  /** Requests that Beckon answered. The editor's answer to one may still come, and must not reach the agent. */
  readonly #answered = new Set<string>();
  /** The agent's own ids of requests that the editor knows by another. */
  readonly #renamed = new Map<string, RequestId>();
  readonly #ending = new Set<Promise<void>>();
  readonly #runId = `acp_${randomUUID()}`;
  #count = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#toEditor = new LineWriter(options.editor.output);
    this.#toAgent = new LineWriter(options.agent.input);
  }

  /** Resolves when the agent has said its last. */
  async run(): Promise<void> {
    void this.#pumpEditor();
    try {
      for await (const piece of readLines(this.#options.agent.output)) {
        const message = piece.text === undefined ? null : parseMessage(piece.text);
        await this.#fromAgent(piece, message);
        // Nobody reads the agent any more. It notices by itself, as without a proxy.
        if (this.#toEditor.isGone) this.#options.agent.output.destroy();
      }
    } catch {
      // A broken pipe ends the agent's output.
    }
  }

  /** Ends everything that waits, because nobody can answer the agent any more. */
  async end(reason: string): Promise<void> {
    for (const open of this.#open.values()) this.#close(open, reason);
    await Promise.all(this.#ending);
  }

  async #pumpEditor(): Promise<void> {
    try {
      for await (const piece of readLines(this.#options.editor.input)) {
        const message = piece.text === undefined ? null : parseMessage(piece.text);
        await this.#fromEditor(piece, message);
      }
    } catch {
      // The same as the end of the input.
    }
    this.#toAgent.end();
    await this.end('The editor has gone');
  }

  async #fromEditor(piece: Piece, message: Message | null): Promise<void> {
    if (message === null) return this.#toAgent.pass(piece);
    if (message.method === undefined && message.id !== undefined) return this.#fromEditorReply(piece, message);
    this.#talk.hearClient(message);
    if (message.method === 'session/cancel') this.#cancelSession(ownString(message.params, 'sessionId'));
    return this.#toAgent.pass(piece);
  }

  async #fromEditorReply(piece: Piece, message: Message): Promise<void> {
    const key = toKey(message.id ?? null);
    if (this.#answered.delete(key)) {
      this.#renamed.delete(key);
      return;
    }
    const open = this.#open.get(key);
    if (open !== undefined) {
      const answers = open.translated.toAnswers(message.result);
      this.#close(open, answers === null ? 'Ended in the editor' : 'Answered in the editor', answers);
    }
    const id = this.#renamed.get(key);
    if (id === undefined) return this.#toAgent.pass(piece);
    this.#renamed.delete(key);
    this.#toAgent.send({ ...message, id });
  }

  async #fromAgent(piece: Piece, message: Message | null): Promise<void> {
    if (message === null) return this.#toEditor.pass(piece);
    this.#talk.hearAgent(message);
    if (message.method === '$/cancel_request') this.#cancelRequest(message.params?.['requestId']);
    if (message.method === undefined || message.id === undefined) return this.#toEditor.pass(piece);
    const id = this.#rename(message.id);
    if (id === message.id) await this.#toEditor.pass(piece);
    else this.#toEditor.send({ ...message, id });
    if (asksPerson(message)) this.#ask(message, id);
  }

  /**
   * The id under which the editor gets a request of the agent: its own. Only if the editor still owes an answer to an
   * earlier request of that id it is another, because that answer must not count for this request.
   */
  #rename(id: RequestId): RequestId {
    if (!this.#answered.has(toKey(id))) return id;
    this.#count += 1;
    const renamed = `${this.#runId}_${this.#count}`;
    this.#renamed.set(toKey(renamed), id);
    return renamed;
  }

  #ask(message: Message, id: RequestId): void {
    const twin = this.#open.get(toKey(id));
    // It cannot be told which of the two an answer would be for.
    if (twin !== undefined) return this.#close(twin, 'The agent used the same id for another request');
    const translated = toRequest(message, this.#talk);
    if (translated === null) return;
    this.#count += 1;
    const { connect, onTrouble } = this.#options;
    const key = `${this.#runId}_${this.#count}`;
    const prepared = toAsks(translated, message, { talk: this.#talk, key, options: this.#options });
    const asking = startAsking(connect, prepared.inputs, 'editor');
    const open: Open = { id, sessionId: ownString(message.params, 'sessionId'), translated, asking };
    this.#open.set(toKey(id), open);
    asking.settled
      .then((settled) => settled !== null && this.#decide(open, prepared, settled))
      .catch((error: unknown) => {
        if (this.#open.get(toKey(id)) === open) this.#open.delete(toKey(id));
        onTrouble(toText(error));
      });
  }

  #decide(open: Open, { findChange }: PreparedAsks, settled: readonly Interaction[]): void {
    const key = toKey(open.id);
    if (this.#open.get(key) !== open) return;
    const result = open.translated.toResult(settled);
    this.#open.delete(key);
    if (result === null) return;
    const changed = isAllowed(settled) ? findChange(settled) : null;
    // The editor still asks: the person there sees what is in the files now.
    if (changed !== null) return this.#withhold(settled, changed);
    this.#answered.add(key);
    this.#toAgent.send({ id: this.#renamed.get(key) ?? open.id, result: result satisfies JsonObject });
    this.#toEditor.send({ method: '$/cancel_request', params: { requestId: open.id } });
  }

  #withhold(settled: readonly Interaction[], reason: string): void {
    const note = async (): Promise<void> => {
      const beckon = await this.#options.connect();
      for (const { id } of settled) await beckon.note(id, { type: 'withheld', reason });
    };
    note().catch((error: unknown) => this.#options.onTrouble(toText(error)));
  }

  #cancelSession(sessionId: string | undefined): void {
    for (const open of this.#open.values()) {
      if (open.sessionId === sessionId) this.#close(open, 'The turn was cancelled in the editor');
    }
  }

  #cancelRequest(id: unknown): void {
    const open = typeof id === 'string' || typeof id === 'number' ? this.#open.get(toKey(id)) : undefined;
    if (open !== undefined) this.#close(open, 'The agent no longer waits for it');
  }

  #close(open: Open, reason: string, answers?: Parameters<Asking['end']>[1]): void {
    this.#open.delete(toKey(open.id));
    const ending = open.asking.end(reason, answers).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
