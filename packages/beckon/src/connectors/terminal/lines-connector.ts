import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { AnswerEntry, AnswerResult, GroupResult } from '../../core/beckon.ts';
import type { Connector, Inbound } from '../../core/connector.ts';
import { toDiffText } from '../../diff/diff-text.ts';
import { toFileDiffs } from '../../diff/file-diff.ts';
import { describeOutcome } from '../../presentation/describe-outcome.ts';
import { describeRisk } from '../../presentation/describe-risk.ts';
import { toHeadline } from '../../presentation/headline.ts';
import { describeStep } from '../../presentation/names.ts';
import { describePlace } from '../../presentation/place.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { ContextFile } from '../../protocol/context.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { isObject } from '../../protocol/json.ts';
import { parseJson } from '../../protocol/parse-json.ts';
import { assessRisk } from '../../risk/assess-risk.ts';

export interface LinesOptions {
  /**
   * Where answers come from, one JSON document per line: `{ "id": "int_…", "answer": {…} }`, or for the questions of
   * one call `{ "groupId": "…", "answers": [{ "id": "int_…", "answer": {…} }] }`. To allow what is dangerous, add
   * `"anyway": true`.
   */
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
 * `result` or `error` per input line, in order. A pending request comes with the words that people see elsewhere.
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
  #inbound: Inbound | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#end = Promise.withResolvers();
    this.left = this.#end.promise;
  }

  reaches(chatId: string): boolean {
    return this.#options.chatId === undefined || this.#options.chatId === chatId;
  }

  async start(inbound: Inbound): Promise<void> {
    this.#inbound = inbound;
    this.#reading = this.#read(inbound).then(this.#end.resolve, this.#end.reject);
  }

  async show(interaction: Interaction): Promise<void> {
    const hasFiles = interaction.kind === 'approval' && interaction.context?.files !== undefined;
    const context = hasFiles ? await this.#inbound?.context(interaction.id) : null;
    this.#write({ type: 'pending', interaction, ...toWords(interaction, context?.files ?? []) });
  }

  async settle(interaction: Interaction): Promise<void> {
    this.#write({ type: 'settled', interaction, outcome: describeOutcome(interaction) });
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
    let about: { id?: string; groupId?: string } = {};
    try {
      const sent = parseLine(line);
      about = sent.about;
      if (!sent.isAnyway) await refuseDangerous(inbound, sent.answers);
      const { result, ...outcome } = await sent.send(inbound, this.#options.who);
      this.#write({ type: 'result', line: number, ...about, result, ...outcome });
      return result;
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      const { code, message, problems } = error;
      const explained = { code, message, ...(problems.length > 0 && { problems }) };
      this.#write({ type: 'error', line: number, ...about, error: explained });
      return { error: code };
    }
  }

  #write(document: object): void {
    this.#options.output.write(`${JSON.stringify(document)}\n`);
  }
}

/** What people read about a request elsewhere: its place, what it is, its risk, and what it changes in files. */
function toWords(interaction: Interaction, files: readonly ContextFile[]): object {
  const place = describePlace(interaction);
  const step = describeStep(interaction);
  const changes = interaction.kind === 'approval' ? toFileDiffs(interaction.request, files) : [];
  return {
    headline: toHeadline(interaction),
    ...(interaction.kind === 'approval' && { risk: assessRisk(interaction) }),
    ...(place !== '' && { place }),
    ...(step !== '' && { step }),
    ...(changes.length > 0 && {
      changes: changes.map(({ path, movedTo, state, added, removed, notes, hunks }) => ({
        path,
        ...(movedTo !== undefined && { movedTo }),
        state,
        added,
        removed,
        ...(notes.length > 0 && { notes }),
        diff: toDiffText(hunks),
      })),
    }),
  };
}

/** A script that allows everything must say so about what is dangerous. */
async function refuseDangerous(inbound: Inbound, answers: Sent['answers']): Promise<void> {
  for (const { id, answer } of answers) {
    if (typeof id !== 'string' || !isObject(answer) || answer['decision'] !== 'allow') continue;
    const interaction = await inbound.get(id);
    const risk = interaction?.status === 'pending' ? assessRisk(interaction) : null;
    if (risk?.level !== 'dangerous') continue;
    const why = `Nothing was sent, because ${id} needs a second step. ${describeRisk(risk)}.`;
    throw new BeckonError('invalid_answer', `${why} To allow it, add "anyway": true to the line.`);
  }
}

/** A line that was read: what it is about, and how to send it. */
interface Sent {
  about: { id: string } | { groupId: string };
  answers: readonly { id: unknown; answer: unknown }[];
  /** Whether it allows even what is dangerous. */
  isAnyway: boolean;
  send(inbound: Inbound, who: string): Promise<AnswerResult | GroupResult>;
}

function parseLine(line: string): Sent {
  const value = parseJson(line, (reason) => `This line is not valid JSON: ${reason}`);
  const { id, answer, groupId, answers, anyway } = (value ?? {}) as Record<string, unknown>;
  const isAnyway = anyway === true;
  if (typeof id === 'string' && id !== '' && isObject(answer)) {
    return {
      about: { id },
      answers: [{ id, answer }],
      isAnyway,
      send: (inbound, who) => inbound.answer(id, answer as AnswerInput, who),
    };
  }
  if (typeof groupId === 'string' && groupId !== '' && Array.isArray(answers)) {
    return {
      about: { groupId },
      answers: answers.filter(isObject) as { id: unknown; answer: unknown }[],
      isAnyway,
      // Beckon checks each of them, as for everybody who answers a group.
      send: (inbound, who) => inbound.answerGroup(groupId, answers as AnswerEntry[], who),
    };
  }
  throw new BeckonError(
    'invalid_input',
    'Expected { "id": "int_…", "answer": {…} } or { "groupId": "…", "answers": […] } on one line.',
  );
}
