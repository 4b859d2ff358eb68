import type { Beckon } from '../core/beckon.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { DestinationRecord } from '../core/notify.ts';
import type { Store } from '../core/store.ts';
import type { NtfyLine } from '../protocol/ntfy.ts';
import { pause } from '../timing/pause.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { publish, toNtfyPlace } from './ntfy-server.ts';
import { ReplyStream, STREAM_TIMES, type StreamPlace, type StreamTimes } from './reply-stream.ts';
import { readReply, toReplyTopic } from './reply-token.ts';
import { type Presser, type Told, takeReply } from './take-reply.ts';

/** What following reply topics needs. */
export interface NtfyRepliesOptions {
  guarded: GuardedFetch;
  /** The one that `createNtfySender` has. */
  secret: string;
  store: Pick<Store, 'destinations' | 'notices' | 'replies'>;
  /** The address of a page of this Beckon. */
  toLink: (path: string) => string;
  beckon: Pick<Beckon, 'get' | 'answer'>;
  clock: Clock;
  log: (level: 'info' | 'warn', message: string) => void;
  times?: Partial<StreamTimes> & { refreshMs?: number };
}

/** How often to look for destinations that came or went. */
const REFRESH_MS = 5000;
/** One stream names so many topics; more would make its address too long. */
const MOST_TOPICS = 50;
const TELL_MS = 15_000;
const TELL_AGAIN_MS = [1000, 10_000];

/**
 * Brings back what people press in ntfy, by following a secret topic of each destination: one connection for all that
 * share a server and a token. Every process may do this: the store remembers which messages were taken.
 */
export class NtfyReplies {
  readonly #options: NtfyRepliesOptions;
  readonly #stopping = new AbortController();
  readonly #streams = new Map<string, { place: StreamPlace; stream: ReplyStream }>();
  readonly #telling = new Set<Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: NtfyRepliesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends the streams, and waits for what is being taken. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all([...this.#streams.values()].map(({ stream }) => stream.stop()));
    await Promise.all(this.#telling);
  }

  async #run(): Promise<void> {
    const { log, times } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#refresh();
      } catch (error) {
        log('warn', `The destinations on ntfy cannot be read (${String(error)}). Beckon tries again.`);
      }
      await pause(times?.refreshMs ?? REFRESH_MS, signal).catch(() => undefined);
    }
  }

  async #refresh(): Promise<void> {
    const { store, secret } = this.#options;
    const records = (await store.destinations.list()).filter(hasButtons);
    const wanted = toStreams(new Map(records.map((record) => [toReplyTopic(secret, record.id), record])));
    for (const [key, { place, stream }] of this.#streams) {
      const next = wanted.get(key);
      if (next !== undefined && isSame(next.topics, place.topics)) continue;
      await stream.stop();
      this.#streams.delete(key);
    }
    for (const [key, place] of wanted) if (!this.#streams.has(key)) this.#open(key, place);
  }

  #open(key: string, place: StreamPlace): void {
    const { guarded, clock, times, log } = this.#options;
    const stream = new ReplyStream({
      guarded,
      place,
      clock,
      times: { ...STREAM_TIMES, ...times },
      take: (line) => this.#take(line),
      onProblem: (problem) => {
        const { host } = new URL(place.server);
        if (problem === null) log('info', `Answers from ntfy at ${host} arrive again.`);
        else log('warn', `Answers from ntfy at ${host} do not arrive: ${problem}`);
      },
    });
    this.#streams.set(key, { place, stream });
  }

  async #take({ id, topic, message = '' }: NtfyLine): Promise<void> {
    const { secret, store, beckon, clock } = this.#options;
    const reply = readReply(secret, message);
    // Anybody can write into a topic, so what is not ours leaves no trace.
    if (reply === null || topic !== toReplyTopic(secret, reply.destination)) return;
    const key = `${reply.destination} ${id}`;
    if (await store.replies.has(key)) return;
    const presser = await this.#findPresser(reply.destination);
    const told = presser && (await takeReply(beckon, reply, presser, clock.now()));
    // Noted after the answer, so a crash loses no answer; and before telling, so two processes tell once.
    const isFirst = await store.replies.note(key, toIso(clock.now()));
    if (presser && told && isFirst) this.#tell(presser.destination, told, reply.interaction, id);
  }

  /** Whose buttons these are, as it is at this moment; `null` if the destination does not count any more. */
  async #findPresser(id: string): Promise<Presser | null> {
    const view = await this.#options.store.notices.view();
    const record = view?.destinations.find((one) => one.record.id === id)?.record;
    if (view === null || record?.kind !== 'ntfy') return null;
    return { destination: record, waysIn: view.waysIn.filter(({ name }) => name === record.owner) };
  }

  #tell(destination: DestinationRecord, told: Told, interactionId: string, id: string): void {
    const telling = this.#publish(destination, told, interactionId, id).finally(() => this.#telling.delete(telling));
    this.#telling.add(telling);
  }

  async #publish(destination: DestinationRecord, { title, text }: Told, interactionId: string, id: string) {
    const { guarded, toLink, log } = this.#options;
    const place = toNtfyPlace(destination);
    const click = toLink(`/i/${interactionId}`);
    const message = { topic: place.topic, title, message: text, click, priority: 3, tags: ['information_source'] };
    for (const waitMs of [0, ...TELL_AGAIN_MS]) {
      await pause(waitMs, this.#stopping.signal).catch(() => undefined);
      const result = await publish(guarded, place, { ...message, sequence_id: `r${id}` }, AbortSignal.timeout(TELL_MS));
      if (result.result !== 'failed') return;
    }
    log('warn', `${destination.label} could not be told that a button did nothing.`);
  }
}

/** Whether there may be notices of it that have buttons. */
function hasButtons({ kind, content, isOn, provenAt }: DestinationRecord): boolean {
  return kind === 'ntfy' && content !== 'link' && isOn && provenAt !== undefined;
}

/** The streams that destinations need, by server and token. */
function toStreams(destinations: ReadonlyMap<string, DestinationRecord>): Map<string, StreamPlace> {
  const groups = Map.groupBy(destinations, ([, record]) => {
    const { server, token = '' } = toNtfyPlace(record);
    return `${server} ${token}`;
  });
  const streams = new Map<string, StreamPlace>();
  for (const [key, entries] of groups) {
    const [server = '', token = ''] = key.split(' ');
    const topics = entries.map(([topic]) => topic).toSorted();
    for (let start = 0; start < topics.length; start += MOST_TOPICS) {
      streams.set(`${key} ${start}`, {
        server,
        token: token === '' ? undefined : token,
        topics: topics.slice(start, start + MOST_TOPICS),
      });
    }
  }
  return streams;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((topic, index) => topic === other[index]);
}
