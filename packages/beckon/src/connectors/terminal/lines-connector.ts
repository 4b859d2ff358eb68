import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { AnswerResult } from '../../core/beckon.ts';
import type { Connector, Inbound } from '../../core/connector.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { isObject } from '../../protocol/json.ts';
import { parseJson } from '../../protocol/parse-json.ts';

export interface LinesOptions {
  /** Where answers come from, one JSON document per line: `{ "id": "int_…", "answer": {…} }`. */
  input: Readable;
  /** Where documents go, one per line. */
  output: Writable;
  /** Who answers, as others see them. */
  who: string;
  /** The one chat that is shown here. Default: every chat. */
  chatId?: string;
}

/** What became of a line: a result from Beckon, or an error code. */
export type LineResult = AnswerResult['result'] | { error: string };

/** JSON lines, with a promise that resolves when the input has ended and every line has its result. */
export interface LinesConnector extends Connector {
  readonly left: Promise<LineResult[]>;
}

/**
 * Speaks JSON lines instead of drawing, for scripts. It writes `pending`, `settled` and `said`, and exactly one
 * `result` or `error` per input line, in order.
 */
export function createLinesConnector(options: LinesOptions): LinesConnector {
  return new Lines(options);
}

class Lines implements LinesConnector {
  readonly name = 'cli';
  readonly showsGroups = true;
  readonly left: Promise<LineResult[]>;
  readonly #options: LinesOptions;
  readonly #end: PromiseWithResolvers<LineResult[]>;
  readonly #stopping = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#end = Promise.withResolvers();
    this.left = this.#end.promise;
  }

  reaches(chatId: string): boolean {
    return this.#options.chatId === undefined || this.#options.chatId === chatId;
  }

  async start(inbound: Inbound): Promise<void> {
    this.#reading = this.#read(inbound).then(this.#end.resolve, this.#end.reject);
  }

  async show(interaction: Interaction): Promise<void> {
    this.#write({ type: 'pending', interaction });
  }

  async settle(interaction: Interaction): Promise<void> {
    this.#write({ type: 'settled', interaction });
  }

  async prompt(chatId: string, text: string): Promise<void> {
    this.#write({ type: 'said', chatId, text });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#reading;
  }

  // One line after another, so results come in the order of the lines.
  async #read(inbound: Inbound): Promise<LineResult[]> {
    const results: LineResult[] = [];
    const lines = createInterface({ input: this.#options.input, crlfDelay: Number.POSITIVE_INFINITY });
    const close = (): void => lines.close();
    if (this.#stopping.signal.aborted) close();
    this.#stopping.signal.addEventListener('abort', close);
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (line.trim() !== '') results.push(await this.#take(inbound, line, number));
    }
    this.#stopping.signal.removeEventListener('abort', close);
    return results;
  }

  async #take(inbound: Inbound, line: string, number: number): Promise<LineResult> {
    let id: string | undefined;
    try {
      const sent = parseLine(line);
      id = sent.id;
      const { result, interaction } = await inbound.answer(id, sent.answer, this.#options.who);
      this.#write({ type: 'result', line: number, id, result, interaction });
      return result;
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      const { code, message, problems } = error;
      const about = {
        ...(id !== undefined && { id }),
        error: { code, message, ...(problems.length > 0 && { problems }) },
      };
      this.#write({ type: 'error', line: number, ...about });
      return { error: code };
    }
  }

  #write(document: object): void {
    this.#options.output.write(`${JSON.stringify(document)}\n`);
  }
}

function parseLine(line: string): { id: string; answer: AnswerInput } {
  const value = parseJson(line, (reason) => `This line is not valid JSON: ${reason}`);
  const { id, answer } = (value ?? {}) as { id?: unknown; answer?: unknown };
  if (typeof id !== 'string' || id === '' || !isObject(answer)) {
    throw new BeckonError('invalid_input', 'Expected { "id": "int_…", "answer": {…} } on one line.');
  }
  return { id, answer: answer as AnswerInput };
}
