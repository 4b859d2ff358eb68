import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { AskInput, Beckon, Interaction, LogEvent } from '../../packages/beckon/src/index.ts';
import { within } from '../harness/within.ts';
import type { Told } from './work.ts';

const SETTLING = ['interaction.answered', 'interaction.expired', 'interaction.cancelled', 'interaction.superseded'];
/** The chat of the questions that mark a place in the log. */
const MARKERS = 'markers';

/** What Beckon has acknowledged about one interaction, in any life. */
interface Acknowledged {
  id: string;
  key?: string;
  status?: string;
  answer?: unknown;
  who?: string;
}

/** Remembers everything that was ever acknowledged, and holds Beckon to it. */
export class Witness {
  readonly #byId = new Map<string, Acknowledged>();
  readonly #settlings = new Map<string, LogEvent>();
  #unchecked = new Set<string>();
  #seq = 0;
  #answers = 0;

  get figures(): { asks: number; settled: number; events: number } {
    return { asks: this.#byId.size, settled: this.#answers, events: this.#seq };
  }

  /** Takes in what a child was told. Two acknowledgements that exclude each other fail here. */
  hear(messages: readonly Told[]): void {
    for (const told of messages) {
      switch (told.type) {
        case 'asked':
          this.#note({ id: told.id, key: told.key });
          break;
        case 'answered': {
          const isLate = told.result === 'late';
          assert(['accepted', 'lost', 'late', 'repeated'].includes(told.result));
          if (!isLate) this.#note({ id: told.id, status: 'answered', answer: told.answer, who: told.who });
          break;
        }
        case 'ended':
          this.#note({ id: told.id, status: told.status });
          break;
        case 'got':
          this.#note({ id: told.id, status: told.status, answer: told.answer });
          break;
        case 'ready':
        case 'open':
          break;
      }
    }
  }

  /**
   * Checks what was acknowledged since the last check, or everything, against what is on disk, and that beside the log:
   * its numbers have no gap, nothing settles twice, and it says the same as the interactions.
   */
  async check(beckon: Beckon, what: 'fresh' | 'everything'): Promise<void> {
    const known = what === 'everything' ? [...this.#byId.values()] : this.#fresh();
    this.#unchecked = new Set();
    let kept: (Interaction | null)[];
    // The server may still commit what a dead child sent last; then what was read before belongs to an older log.
    await this.#readLog(beckon);
    do kept = await getAll(beckon, known);
    while ((await this.#readLog(beckon)) > 0);
    for (const one of kept) if (one?.groupId !== undefined) await checkGroup(beckon, one);
    for (const [index, acknowledged] of known.entries()) {
      const interaction = kept[index];
      if (interaction == null) throw new Error(`${acknowledged.id} was acknowledged and is gone`);
      this.#compare(acknowledged, interaction);
      const logged = this.#settlings.get(interaction.id)?.type.replace('interaction.', '') ?? 'pending';
      if (logged !== interaction.status)
        throw new Error(`${interaction.id} is ${interaction.status}, but its log says ${logged}`);
    }
  }

  /** The agents come back: each asks again with its key, finds its question, and waits again where nobody does yet. */
  async reattach(beckon: Beckon, waits: Map<string, Promise<Interaction>>): Promise<void> {
    const back = [...this.#byId.values()].filter(({ id, status }) => status === undefined || this.#unchecked.has(id));
    await Promise.all(
      back.map(async ({ id, key }) => {
        if (key === undefined) return;
        const { kind, request, chatId } = (await beckon.get(id))!;
        const again = await beckon.ask({ kind, request, chatId, idempotencyKey: key } as AskInput);
        assert.equal(again.id, id);
        const other = { kind: 'question', request: { question: 'Something else?' }, chatId } as const;
        await assert.rejects(beckon.ask({ ...other, idempotencyKey: key }), { code: 'key_reused' });
        if (!waits.has(id)) waits.set(id, beckon.wait(id));
      }),
    );
  }

  /** Waits for a waiter whose answer was acknowledged to somebody, and compares. */
  async expectAnswer(id: string, wait: Promise<Interaction>): Promise<void> {
    this.#compare(this.#byId.get(id)!, await within(`the waiter of ${id}`, wait));
  }

  isSettled(id: string): boolean {
    return this.#byId.get(id)?.status !== undefined;
  }

  #note(news: Acknowledged): void {
    const known = this.#byId.get(news.id) ?? { id: news.id };
    for (const [field, value] of Object.entries(news)) {
      const before = known[field as keyof Acknowledged];
      if (value === undefined || isDeepStrictEqual(before, value)) continue;
      if (before !== undefined) throw new Error(`${news.id} has two truths: ${JSON.stringify([known, news])}`);
      Object.assign(known, { [field]: value });
      if (field === 'status') this.#answers += 1;
    }
    this.#byId.set(news.id, known);
    this.#unchecked.add(news.id);
  }

  #compare(known: Acknowledged, kept: Interaction): void {
    const found = {
      id: kept.id,
      key: kept.idempotencyKey,
      status: kept.status,
      answer: kept.answer,
      who: kept.answeredBy?.who,
    };
    for (const [field, value] of Object.entries(known)) {
      if (!isDeepStrictEqual(found[field as keyof Acknowledged], value))
        throw new Error(`Acknowledged ${JSON.stringify(known)}, kept ${JSON.stringify(found)}`);
    }
  }

  #fresh(): Acknowledged[] {
    return [...this.#unchecked].map((id) => this.#byId.get(id)!);
  }

  /** Reads the log up to a question that it asks itself. Gives how many events of others came since the last time. */
  async #readLog(beckon: Beckon): Promise<number> {
    const marker = await beckon.ask({ kind: 'component', request: { components: [] }, chatId: MARKERS });
    await beckon.cancel({ id: marker.id });
    let others = 0;
    for await (const event of beckon.events({ after: this.#seq })) {
      this.#seq += 1;
      if (event.seq !== this.#seq) throw new Error(`Expected event ${this.#seq} of the log, got ${event.seq}`);
      if (!('interactionId' in event)) throw new Error(`Nobody made ${JSON.stringify(event)}`);
      if (SETTLING.includes(event.type)) this.#settleOnce(event.interactionId, event);
      if (event.chatId !== MARKERS) others += 1;
      if (event.interactionId === marker.id && event.type === 'interaction.cancelled') break;
    }
    return others;
  }

  #settleOnce(id: string, event: LogEvent): void {
    const first = this.#settlings.get(id);
    if (first !== undefined) throw new Error(`${id} was settled twice: ${JSON.stringify([first, event])}`);
    this.#settlings.set(id, event);
  }
}

/**
 * All steps of a group were asked, and those that children answered were answered together. What is left at the end is
 * answered one by one.
 */
async function checkGroup(beckon: Beckon, { groupId = '' }: Interaction): Promise<void> {
  const { items } = await beckon.list({ groupId });
  const states = items.map(({ status, answeredBy, settledAt }) =>
    JSON.stringify(answeredBy?.via === 'crash test' ? [status, answeredBy.who, settledAt] : []),
  );
  if (items.length !== 3 || new Set(states).size !== 1) {
    throw new Error(`The group ${groupId} came apart: ${JSON.stringify(states)}`);
  }
}

async function getAll(beckon: Beckon, known: readonly Acknowledged[]): Promise<(Interaction | null)[]> {
  const kept: (Interaction | null)[] = [];
  for (let start = 0; start < known.length; start += 200) {
    kept.push(...(await Promise.all(known.slice(start, start + 200).map(({ id }) => beckon.get(id)))));
  }
  return kept;
}
