import { BeckonError } from '../../protocol/errors.ts';
import { toGrowingMs } from '../../timing/backoff.ts';
import { pause } from '../../timing/pause.ts';
import type { Work } from '../shared/work.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import type { Settings } from './settings.ts';
import type { SlackApi } from './web-api.ts';
import type { MessageEvent } from './wire.ts';

const LONGEST_PAUSE_MS = 60_000;

/** What reading threads needs. */
export interface ThreadOptions {
  api: SlackApi;
  deliveries: Deliveries;
  settings: Settings;
  signal: AbortSignal;
  work: Work;
  hear: (message: MessageEvent) => void;
}

/**
 * Hears what was written in the threads of open requests while there was no connection. Slack gives an event again for
 * some minutes only. What was heard before, the listener drops.
 */
export class ThreadReader {
  readonly #options: ThreadOptions;
  /** Whether a reading of all threads has not begun yet. */
  #isWaiting = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Reads the threads of all open requests. A connection that is cut again and again does not pile up readings. */
  readAll(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#inOrder(() => {
      this.#isWaiting = false;
      return this.#options.deliveries.listOpen();
    });
  }

  /** Reads the threads of some requests. */
  read(ids: readonly string[]): void {
    this.#inOrder(() => ids);
  }

  #inOrder(list: () => readonly string[]): void {
    void this.#options.work.inOrder('threads', () => this.#read([...list()]));
  }

  // Never rejects: it goes on until it has read them all.
  async #read(left: string[]): Promise<void> {
    const { api, deliveries, settings, signal, hear } = this.#options;
    for (let failures = 0; left.length > 0 && !signal.aborted; ) {
      try {
        for (const message of await readThread(api, deliveries.get(left[0] ?? ''))) hear(message);
        left.shift();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        settings.onError(error);
        const isPassing = error instanceof BeckonError && error.code === 'unreachable';
        // The message may be gone, which says nothing about the other threads.
        if (!isPassing) left.shift();
        failures += 1;
        const ms = toGrowingMs(failures, { firstMs: settings.retryMs, longestMs: LONGEST_PAUSE_MS });
        if (isPassing) await pause(ms, signal).catch(() => undefined); // It is stopping, which the loop sees.
      }
    }
  }
}

async function readThread(api: SlackApi, delivery: Delivery | undefined): Promise<MessageEvent[]> {
  const { channel, ts } = delivery ?? {};
  if (channel === undefined || ts === undefined) return [];
  const replies = await api.replies(channel, ts);
  return replies.filter((reply) => reply.ts !== ts).map((reply) => ({ ...reply, channel, thread_ts: ts }));
}
