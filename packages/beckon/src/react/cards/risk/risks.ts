import type { Interaction, Risk, RiskLevel } from '../../../protocol/index.ts';
import { Store } from '../state/store.ts';
import type { Input, RiskJob, RiskReply, Subject } from './job.ts';

/** How many requests the worker gets at once. Copying more would hold up the page. */
const BATCH = 100;
/** Grouping this many takes time, so a longer list is not sorted again for every batch. */
const MANY = 500;
const PUBLISH_MS = 400;
/** How long a batch may take, once the worker runs; and how long its code may take to arrive. */
const LIMIT_MS = 5_000;
const LOAD_MS = 20_000;
const ROUTINE: Risk = { level: 'routine', findings: [] };

/**
 * How much care requests need. A worker finds it, so neither its code nor a hostile text holds up the page. Requests
 * never change, so each is assessed once. What is not known is never treated as harmless.
 */
class Risks {
  /**
   * The levels of the pending approvals that are assessed, for the list. It is another map only when something above
   * routine has come or gone; `count` changes with every level.
   */
  readonly levels = new Store<ReadonlyMap<string, RiskLevel>>(new Map());
  readonly count = new Store(0);
  #levels = new Map<string, RiskLevel>();
  #publishing: ReturnType<typeof setTimeout> | undefined;
  readonly #known = new Map<string, Risk>();
  /** What was found in the request that a person edits. */
  #edited: { key: string; risk: Risk } | null = null;
  #pending: ReadonlyMap<string, Interaction> = new Map();
  #queue: Interaction[] = [];
  #isRunning = false;
  #worker: Worker | null = null;
  /** Whether the code has ever arrived, and whether this worker has replied. */
  #hasStarted = false;
  #isWarm = false;
  #last: Promise<unknown> = Promise.resolve();
  #number = 0;

  /** Assesses what is pending, and forgets what no longer is. */
  follow(items: ReadonlyMap<string, Interaction>): void {
    for (const id of this.#pending.keys()) if (!items.has(id)) this.#known.delete(id);
    this.#pending = items;
    this.#queue = [...items.values()].filter((one) => one.kind === 'approval' && !this.#known.has(one.id));
    if (this.#queue.length === 0) this.#publishSoon();
    else if (!this.#isRunning) void this.#run();
  }

  /** The risk of a request, or of one with another input; `undefined` if it is not known. */
  get(interaction: Interaction, edited?: Input): Risk | undefined {
    if (interaction.kind !== 'approval') return ROUTINE;
    if (edited === undefined) return this.#known.get(interaction.id);
    return this.#edited?.key === toKey(interaction, edited) ? this.#edited.risk : undefined;
  }

  /** Tells when `get` may give something else. */
  subscribe = (listener: () => void): (() => void) => this.count.subscribe(listener);

  /** Assesses one request before all others. `null`: it cannot be assessed. */
  async assess(interaction: Interaction, edited?: Input): Promise<Risk | null> {
    const known = this.get(interaction, edited);
    if (known !== undefined) return known;
    const [risk = null] = await this.#ask([toSubject(interaction, edited)]);
    if (risk === null || interaction.status !== 'pending') return risk;
    if (edited === undefined) this.#known.set(interaction.id, risk);
    else this.#edited = { key: toKey(interaction, edited), risk };
    this.#publish();
    return risk;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, BATCH);
      const found = await this.#askAll(batch.map((one) => toSubject(one)));
      for (const [index, { id }] of batch.entries()) {
        const risk = found[index];
        if (risk != null && this.#pending.has(id)) this.#known.set(id, risk);
      }
      // Without the code nothing can be assessed. It is asked for again with the next change.
      if (!this.#hasStarted) this.#queue = [];
      this.#publishSoon();
    }
    this.#isRunning = false;
  }

  #publishSoon(): void {
    if (this.#pending.size <= MANY) return this.#publish();
    this.#publishing ??= setTimeout(() => this.#publish(), PUBLISH_MS);
  }

  #publish(): void {
    clearTimeout(this.#publishing);
    this.#publishing = undefined;
    const levels = new Map<string, RiskLevel>();
    for (const id of this.#pending.keys()) {
      const level = this.#known.get(id)?.level;
      if (level !== undefined) levels.set(id, level);
    }
    const isSameOrder = isEqual(toGraver(levels), toGraver(this.#levels));
    if (isSameOrder) {
      for (const id of this.#levels.keys()) if (!levels.has(id)) this.#levels.delete(id);
      for (const [id, level] of levels) this.#levels.set(id, level);
    } else this.#levels = levels;
    this.levels.set(this.#levels);
    this.count.set(this.count.get() + 1);
  }

  // One text that takes too long must not leave the others without a level.
  async #askAll(subjects: readonly Subject[]): Promise<readonly (Risk | null)[]> {
    const found = await this.#ask(subjects);
    if (subjects.length === 1 || found.length > 0 || !this.#hasStarted) return found;
    const singly: (Risk | null)[] = [];
    for (const subject of subjects) singly.push((await this.#ask([subject]))[0] ?? null);
    return singly;
  }

  /** The risk of each; nothing if the worker fails or takes too long. */
  #ask(subjects: readonly Subject[]): Promise<readonly (Risk | null)[]> {
    const job = { number: (this.#number += 1), subjects };
    const asked = this.#last.then(() => this.#post(job));
    this.#last = asked;
    return asked;
  }

  async #post(job: RiskJob): Promise<readonly (Risk | null)[]> {
    const leaving = new AbortController();
    const { signal } = leaving;
    try {
      this.#worker ??= new Worker(new URL('./risk-worker.js', import.meta.url), { type: 'module' });
      const worker = this.#worker;
      const risks = await new Promise<readonly (Risk | null)[]>((resolve, reject) => {
        const timer = setTimeout(reject, this.#isWarm ? LIMIT_MS : LOAD_MS);
        signal.addEventListener('abort', () => clearTimeout(timer));
        const onMessage = ({ data }: MessageEvent<RiskReply>): void => {
          if (data.number === job.number) resolve(data.risks);
        };
        worker.addEventListener('message', onMessage, { signal });
        worker.addEventListener('error', reject, { signal });
        worker.postMessage(job);
      });
      this.#hasStarted = true;
      this.#isWarm = true;
      return risks;
    } catch {
      this.#worker?.terminate();
      this.#worker = null;
      this.#isWarm = false;
      return []; // The code did not arrive, or a text takes too long.
    } finally {
      leaving.abort();
    }
  }
}

/** The page's only one: a request has one risk, wherever it is shown. */
export const risks = new Risks();

function toSubject({ kind, request, context }: Interaction, edited?: Input): Subject {
  return {
    kind,
    request: edited === undefined ? request : ({ ...request, input: edited } as Interaction['request']),
    ...(context !== undefined && { context }),
  };
}

function toKey({ id }: Interaction, edited: Input): string {
  return `${id} ${JSON.stringify(edited)}`;
}

function toGraver(levels: ReadonlyMap<string, RiskLevel>): Map<string, RiskLevel> {
  return new Map([...levels].filter(([, level]) => level !== 'routine'));
}

function isEqual(one: ReadonlyMap<string, RiskLevel>, other: ReadonlyMap<string, RiskLevel>): boolean {
  return one.size === other.size && [...one].every(([id, level]) => other.get(id) === level);
}
