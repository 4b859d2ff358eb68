import type { Store } from '../../packages/beckon/src/core/store.ts';
import type { Interaction, LogEvent } from '../../packages/beckon/src/index.ts';
import { BeckonError } from '../../packages/beckon/src/index.ts';
import { policy } from '../../packages/beckon/src/rules/policy.ts';
import { checkForm } from '../../packages/beckon/src/runtime/form-schema.ts';
import { LocalBeckon } from '../../packages/beckon/src/runtime/local-beckon.ts';
import { openSqlStore } from '../../packages/beckon/src/store/sql-store.ts';
import type { FakeClock } from '../../packages/beckon/src/testing/fake-clock.ts';
import type { TestDatabase } from '../../packages/beckon/src/testing/harness/database.ts';
import { slowDown } from '../harness/slow-driver.ts';
import type { Heard } from './model.ts';

/** One runtime on the database, as a process of its own would have it. */
export interface Node {
  readonly beckon: LocalBeckon;
  readonly store: Store;
  readonly clock: FakeClock;
}

/** Opens one more runtime, on a slow network. It expires what fell due before. */
export async function openNode(database: TestDatabase, clock: FakeClock, newId: () => string): Promise<Node> {
  const store = await openSqlStore(slowDown(database.openDriver()), { checkForm, policy });
  const beckon = new LocalBeckon({
    store,
    clock,
    newId,
    timeoutMs: null,
    onError: (error) => {
      throw error;
    },
  });
  await beckon.start();
  return { beckon, store, clock };
}

/** Somebody who waits. `heard` is absent while the wait lasts. */
export class Wait {
  readonly id: string;
  readonly node: Node;
  readonly ended: Promise<Heard>;
  readonly #abort = new AbortController();
  heard: Heard | undefined;

  constructor(node: Node, id: string) {
    this.id = id;
    this.node = node;
    this.ended = hear(node.beckon.wait(id, { signal: this.#abort.signal })).then((heard) => {
      this.heard = heard;
      return heard;
    });
  }

  abort(): void {
    this.#abort.abort(new BeckonError('wait_timed_out', 'The test gave up.'));
  }
}

/** Somebody who reads the log from behind `after` until the node closes. */
export class LogReader {
  readonly after: number;
  readonly node: Node;
  readonly events: LogEvent[] = [];
  readonly ended: Promise<Heard>;
  #onEvent: () => void = () => undefined;

  constructor(node: Node, after: number) {
    this.node = node;
    this.after = after;
    this.ended = hear(this.#read());
  }

  async reaches(seq: number): Promise<void> {
    while (this.after + this.events.length < seq) {
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve;
      });
    }
  }

  async #read(): Promise<void> {
    for await (const event of this.node.beckon.events({ after: this.after })) {
      this.events.push(event);
      this.#onEvent();
    }
  }
}

/** Turns the end of a call into what its caller heard. Errors that nobody planned for are thrown. */
export async function hear(promise: Promise<unknown>): Promise<Heard> {
  try {
    return { value: await promise };
  } catch (error) {
    if (error instanceof BeckonError) return { code: error.code };
    throw error;
  }
}

/** Every interaction, in the order of asking, read page by page. */
export async function listAll(node: Node, limit: number): Promise<Interaction[]> {
  const all: Interaction[] = [];
  let after: string | undefined;
  do {
    const page = await node.beckon.list({ limit, ...(after !== undefined && { after }) });
    all.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return all.reverse();
}
