import type { Clock } from '../core/clock.ts';
import type { NtfyLine } from '../protocol/ntfy.ts';
import { toBackoffMs } from '../timing/backoff.ts';
import { pause } from '../timing/pause.ts';
import { startTimer } from '../timing/timer.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { describeFailure, NtfyRefusal, readLines } from './ntfy-server.ts';

/** What one stream reads: topics of one server that one token may read. */
export interface StreamPlace {
  server: string;
  token: string | undefined;
  topics: readonly string[];
}

/** The times of a stream, in milliseconds. */
export interface StreamTimes {
  /** A stream that says nothing for so long is dead. ntfy sends a line every 45 seconds. */
  silenceMs: number;
  /** A stream that has not begun by then is held back by a proxy. */
  openMs: number;
  /** A stream that ends sooner does not count as one that works. */
  shortMs: number;
  /** How often to ask where streams do not get through. */
  pollMs: number;
  /** How long to do without a stream before it is tried again. */
  pollForMs: number;
  backoff: { firstMs: number; longestMs: number };
}

export const STREAM_TIMES: StreamTimes = {
  silenceMs: 120_000,
  openMs: 20_000,
  shortMs: 10_000,
  pollMs: 20_000,
  pollForMs: 600_000,
  backoff: { firstMs: 500, longestMs: 300_000 },
};

interface ReplyStreamOptions {
  guarded: GuardedFetch;
  place: StreamPlace;
  /** Takes a message. If it throws, the message comes again. */
  take: (line: NtfyLine) => Promise<void>;
  clock: Clock;
  times: StreamTimes;
  /** Hears what is wrong, once for each time that it begins; `null`: it works again. */
  onProblem: (problem: string | null) => void;
}

/** After so many streams that ended at once, it asks again and again instead. */
const MOST_SHORT = 3;

/**
 * Follows reply topics until it is stopped, from the oldest message that the server still has. After a cut it goes on
 * behind the last message that was taken, so nothing is lost; a message may come twice. Where streams do not get
 * through, it polls for a while.
 */
export class ReplyStream {
  readonly #options: ReplyStreamOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** The last message that was taken. At first, everything that the server still has is read. */
  #since = 'all';
  #pollsUntil = Number.NEGATIVE_INFINITY;
  #problem: string | null = null;

  constructor(options: ReplyStreamOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Ends the connection, and waits for the message that is being taken. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, times } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    let short = 0;
    while (!signal.aborted) {
      const isPoll = clock.elapsed() < this.#pollsUntil;
      const { error, hasBegun, lastedMs } = await this.#read(isPoll);
      if (signal.aborted) return;
      if (error !== undefined) this.#report(describeFailure(error, this.#options.place.token));
      const isGood = isPoll ? error === undefined : lastedMs >= times.shortMs;
      failures = isGood ? 0 : failures + 1;
      short = isPoll || isGood || !hasBegun ? 0 : short + 1;
      if (short >= MOST_SHORT) this.#pollForAWhile();
      await pause(isPoll && isGood ? times.pollMs : this.#toWaitMs(failures, error), signal).catch(() => undefined);
    }
  }

  #toWaitMs(failures: number, error: unknown): number {
    const { backoff } = this.#options.times;
    const asked = error instanceof NtfyRefusal ? (error.retryAfterMs ?? backoff.longestMs) : 0;
    return Math.max(asked, toBackoffMs(Math.max(1, failures), backoff));
  }

  async #read(isPoll: boolean): Promise<{ error?: unknown; hasBegun: boolean; lastedMs: number }> {
    const { guarded, place, take, clock, times } = this.#options;
    const startedAt = clock.elapsed();
    const silence = new AbortController();
    let hasBegun = false;
    const onSilence = (): void => {
      if (!hasBegun) this.#pollForAWhile();
      silence.abort(new Error('The ntfy server says nothing'));
    };
    let stopTimer = startTimer(times.openMs, onSilence);
    const onBytes = (): void => {
      hasBegun = true;
      this.#report(null);
      stopTimer();
      stopTimer = startTimer(times.silenceMs, onSilence);
    };
    const toResult = () => ({ hasBegun, lastedMs: clock.elapsed() - startedAt });
    try {
      const signal = AbortSignal.any([this.#stopping.signal, silence.signal]);
      for await (const line of readLines(guarded, { ...place, since: this.#since, isPoll, signal, onBytes })) {
        if (line.event !== 'message') continue;
        await take(line);
        this.#since = line.id;
      }
      this.#report(null);
      return toResult();
    } catch (error) {
      return { error, ...toResult() };
    } finally {
      stopTimer();
    }
  }

  #pollForAWhile(): void {
    this.#pollsUntil = this.#options.clock.elapsed() + this.#options.times.pollForMs;
  }

  #report(problem: string | null): void {
    if ((problem === null) === (this.#problem === null)) return;
    this.#problem = problem;
    this.#options.onProblem(problem);
  }
}
