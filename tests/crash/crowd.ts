import assert from 'node:assert/strict';
import type { Beckon, LogEvent } from '../../packages/beckon/src/index.ts';
import { within } from '../harness/within.ts';

const AGENTS = 24;
/** Questions that nobody answers before the end, so that their waits live through everything. */
const PATIENT = 20;
const PEOPLE = ['ada', 'bob'] as const;
/** How long whatever is left may take when nothing goes wrong any more. */
const REST_MS = 60_000;

/** The ways in which the crowd reaches Beckon. */
export interface CrowdClients {
  agents: Beckon;
  people: Record<(typeof PEOPLE)[number], Beckon>;
}

/** Agents that ask and wait, and two people who follow the log and both answer everything, each differently. */
export class Crowd {
  readonly #clients: CrowdClients;
  readonly #asking: Promise<unknown>;
  readonly #reading: Promise<LogEvent[]>[];
  readonly #answering: Promise<void>[] = [];
  /** What waits brought, by the id of the question. */
  readonly #got = new Map<string, unknown>();
  /** The answers that Beckon called the valid one, by the id of the question. */
  readonly #won = new Map<string, string>();
  /** The answers that whoever came second was told about, by the id of the question. */
  readonly #lost = new Map<string, string>();
  readonly #watchers = new Set<() => void>();
  #isOver = false;
  #acknowledged = 0;
  readonly #end = Promise.withResolvers<void>();

  constructor(clients: CrowdClients) {
    this.#clients = clients;
    this.#reading = PEOPLE.map((who) => this.#follow(who));
    this.#asking = Promise.all([
      ...Array.from({ length: AGENTS }, (_, agent) => this.#runAgent(`agent-${agent}`)),
      ...Array.from({ length: PATIENT }, () => this.#ask('patient')),
    ]);
    for (const doing of [this.#asking, ...this.#reading]) this.#failWith(doing);
    this.#failWith(this.#end.promise);
  }

  get figures(): { asks: number; acknowledged: number } {
    return { asks: this.#got.size, acknowledged: this.#acknowledged };
  }

  /** Resolves when Beckon has acknowledged so much more. */
  async acknowledges(count: number): Promise<void> {
    const enough = this.#acknowledged + count;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#acknowledged >= enough) resolve();
    };
    this.#watchers.add(look);
    look();
    await within(`${count} acknowledgements`, Promise.race([promise, this.#end.promise]), REST_MS);
    this.#watchers.delete(look);
  }

  /** Lets everybody finish, and holds Beckon to everything that it said. */
  async finish(): Promise<void> {
    this.#isOver = true;
    this.#end.resolve();
    await within('every wait', this.#asking, REST_MS);
    await this.#clients.agents.ask({ kind: 'component', request: { components: [] }, chatId: 'end' });
    const logs = await within('every reader', Promise.all(this.#reading), REST_MS);
    await within('every answer', Promise.all(this.#answering), REST_MS);
    for (const log of logs) {
      assert.deepEqual(
        log.map(({ seq }) => seq),
        log.map((_, index) => index + 1),
      );
    }
    const [log = []] = logs;
    const ids = [...this.#got.keys()].toSorted();
    // Nothing was asked twice, and nothing answered twice.
    assert.deepEqual(toIds(log, 'interaction.requested').slice(0, -1).toSorted(), ids);
    assert.deepEqual(toIds(log, 'interaction.answered').toSorted(), ids);
    // Of two people one won, both know who, and that answer is in the log and came to the agent.
    assert.deepEqual([...this.#won.keys()].toSorted(), ids);
    assert.deepEqual(this.#lost, this.#won);
    for (const event of log) {
      if (event.type !== 'interaction.answered') continue;
      const text = this.#won.get(event.interactionId);
      assert.deepEqual([event.answer, this.#got.get(event.interactionId)], [{ text }, { text }]);
    }
  }

  async #runAgent(chatId: string): Promise<void> {
    while (!this.#isOver) await this.#ask(chatId);
  }

  async #ask(chatId: string): Promise<void> {
    const { agents } = this.#clients;
    const { id } = await agents.ask({ kind: 'question', request: { question: 'Who?' }, chatId, timeout: null });
    this.#note();
    const { status, answer } = await agents.wait(id);
    this.#note();
    assert.equal(status, 'answered');
    assert(!this.#got.has(id), `${id} belongs to two asks`);
    this.#got.set(id, answer);
  }

  async #follow(who: (typeof PEOPLE)[number]): Promise<LogEvent[]> {
    const log: LogEvent[] = [];
    for await (const event of this.#clients.people[who].events({ after: 0 })) {
      log.push(event);
      if (event.type !== 'interaction.requested') continue;
      if (event.chatId === 'end') break;
      const answering = this.#answer(event, who);
      this.#answering.push(answering);
      this.#failWith(answering);
    }
    return log;
  }

  async #answer(
    { interactionId, chatId }: { interactionId: string; chatId: string },
    who: keyof CrowdClients['people'],
  ) {
    if (chatId === 'patient') await this.#end.promise;
    const { result, interaction } = await this.#clients.people[who].answer(
      interactionId,
      { text: who },
      { who, via: 'crash test' },
    );
    this.#note();
    // After a lost reply, the one who won hears that it has said so before.
    const [outcomes, text] = result === 'lost' ? [this.#lost, toText(interaction?.answer)] : [this.#won, who];
    assert(['accepted', 'repeated', 'lost'].includes(result), `An answer was ${result}`);
    assert(!outcomes.has(interactionId), `Both answers to ${interactionId} were ${result}`);
    outcomes.set(interactionId, text);
  }

  /** A failure ends what waits for acknowledgements. Without them it is reported by `finish`. */
  #failWith(doing: Promise<unknown>): void {
    doing.catch((error: unknown) => this.#end.reject(error));
  }

  #note(): void {
    this.#acknowledged += 1;
    for (const look of this.#watchers) look();
  }
}

function toIds(log: readonly LogEvent[], type: LogEvent['type']): string[] {
  return log.flatMap((event) => (event.type === type && 'interactionId' in event ? [event.interactionId] : []));
}

function toText(answer: unknown): string {
  return String((answer as { text?: string } | undefined)?.text);
}
