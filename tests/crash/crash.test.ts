import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Beckon, type Interaction, openBeckon } from '../../packages/beckon/src/index.ts';
import { ENGINES, useEngines } from '../../packages/beckon/src/testing/harness/database.ts';
import { Child } from '../harness/child.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { within } from '../harness/within.ts';
import { Witness } from './witness.ts';
import { answersFor, type Told } from './work.ts';

const createDatabase = useEngines();
const LIVES = { sqlite: repeat(16), postgres: repeat(6) } as const;
/** A life ends after a random number of acknowledgements below this. */
const MOST_ACKNOWLEDGED = 1500;

describe.each(ENGINES)('%s', (engine) => {
  test('a process that is killed again and again loses nothing that was acknowledged', {
    timeout: soakTimeout(240_000),
  }, async () => {
    const seed = useSeed();
    const database = await createDatabase(engine);
    const run = new CrashRun(database.url, seed);
    try {
      for (let life = 1; life <= LIVES[engine]; life += 1) await run.liveAndDie(life);
      await run.finish();
      expect(run.kills).toBe(LIVES[engine]);
      console.log(`${engine}: ${JSON.stringify({ kills: run.kills, ...run.witness.figures })}`);
    } finally {
      await run.dispose();
      await database.dispose();
    }
  });
});

/** One database, and one child after another that works on it. Between two lives the parent looks at what is left. */
class CrashRun {
  readonly witness = new Witness();
  kills = 0;
  readonly #store: string;
  readonly #random: Random;
  #beckon: Beckon | undefined;
  readonly #waits = new Map<string, Promise<Interaction>>();
  #next: Child<Told>;

  constructor(store: string, seed: number) {
    this.#store = store;
    this.#random = new Random(seed);
    this.#next = this.#spawn(1);
  }

  async liveAndDie(life: number): Promise<void> {
    const child = this.#next;
    await child.next('ready');
    child.tell({ type: 'go' });
    // The next one loads its modules meanwhile.
    this.#next = this.#spawn(life + 1);
    try {
      // A tenth dies while it opens the database.
      if (this.#random.below(10) > 0) await child.says(this.#random.below(MOST_ACKNOWLEDGED));
      await sleep(this.#random.below(20));
    } finally {
      await child.kill();
    }
    this.kills += 1;
    this.witness.hear(child.takeAll());
    await this.#lookAtRemains();
    // Half of the time nobody else has the database open, so that the next process has to recover it by itself.
    if (this.#random.below(2) === 0) await this.#close();
  }

  /** Everybody who still waits gets an answer, and everything that was ever acknowledged is there. */
  async finish(): Promise<void> {
    await this.#close();
    const beckon = await this.#open();
    await this.witness.reattach(beckon, this.#waits);
    let pending: Interaction[];
    do {
      pending = (await beckon.list({ status: 'pending', limit: 200 })).items;
      const by = { who: 'person-0', via: 'the end of the test' };
      const results = await Promise.all(pending.map(({ id, kind }) => beckon.answer(id, answersFor(kind)[0], by)));
      for (const { result } of results) assert.equal(result, 'accepted');
    } while (pending.length > 0);
    for (const [id, wait] of this.#waits) await this.witness.expectAnswer(id, wait);
    await this.witness.check(beckon, 'everything');
  }

  async dispose(): Promise<void> {
    await this.#next.kill();
    const ended = Promise.allSettled(this.#waits.values());
    await this.#beckon?.close();
    await ended;
  }

  async #lookAtRemains(): Promise<void> {
    const beckon = await this.#open();
    await this.witness.reattach(beckon, this.#waits);
    await this.witness.check(beckon, 'fresh');
    // Those who waited here while the child answered, and those whose agents died with it.
    for (const [id, wait] of this.#waits) {
      if (!this.witness.isSettled(id)) continue;
      await this.witness.expectAnswer(id, wait);
      this.#waits.delete(id);
    }
  }

  async #open(): Promise<Beckon> {
    this.#beckon ??= await openBeckon({ store: this.#store });
    return this.#beckon;
  }

  async #close(): Promise<void> {
    const ended = Promise.allSettled(this.#waits.values());
    await this.#beckon?.close();
    for (const result of await within('waits to end with their node', ended)) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'closed');
    }
    this.#waits.clear();
    this.#beckon = undefined;
  }

  #spawn(life: number): Child<Told> {
    const data = { store: this.#store, seed: this.#random.below(2 ** 32), life };
    return new Child<Told>(new URL('./crash-child.ts', import.meta.url), data);
  }
}
