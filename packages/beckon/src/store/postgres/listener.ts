import pg from 'pg';
import { toBackoffMs } from '../../timing/backoff.ts';

const BACKOFF = { firstMs: 100, longestMs: 5000 };

/**
 * Hears of commits of other processes. It connects when somebody first follows, and reconnects with growing pauses
 * until it is closed. While somebody follows, a sweep finds what was missed.
 */
export class Listener {
  readonly #config: pg.ClientConfig;
  readonly #sweepMs: number;
  readonly #checkMs: number;
  readonly #followers = new Set<(seq?: number) => void>();
  #client: pg.Client | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #failures = 0;

  /** `checkMs`: how often to make sure that the server is still there. */
  constructor(config: pg.ClientConfig, { sweepMs, checkMs }: { sweepMs: number; checkMs: number }) {
    this.#config = config;
    this.#sweepMs = sweepMs;
    this.#checkMs = checkMs;
  }

  follow(onChange: (seq?: number) => void): () => void {
    // A set would merge two followers with the same function.
    const follower = (seq?: number): void => onChange(seq);
    this.#followers.add(follower);
    if (this.#followers.size === 1) {
      this.#sweep = setInterval(() => this.#tell(), this.#sweepMs);
      if (this.#client === undefined && this.#retry === undefined) this.#connect();
    }
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) clearInterval(this.#sweep);
    };
  }

  async close(): Promise<void> {
    this.#followers.clear();
    clearInterval(this.#sweep);
    clearTimeout(this.#retry);
    clearInterval(this.#check);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #tell(seq?: number): void {
    for (const follower of this.#followers) follower(seq);
  }

  #connect(): void {
    const client = new pg.Client(this.#config);
    this.#client = client;
    client.on('notification', ({ payload }) => this.#tell(toSeq(payload)));
    client.on('error', () => this.#reconnect(client));
    client.on('end', () => this.#reconnect(client));
    void client
      .connect()
      .then(() => client.query('listen beckon'))
      .then(() => {
        this.#failures = 0;
        if (this.#client === client) this.#watch(client);
        // Commits before this connection were not heard.
        this.#tell();
      })
      .catch(() => this.#reconnect(client));
  }

  // A server can disappear silently, for example in a failover.
  #watch(client: pg.Client): void {
    this.#check = setInterval(() => {
      client.query('listen beckon').catch(() => this.#reconnect(client));
    }, this.#checkMs);
  }

  #reconnect(lost: pg.Client): void {
    if (this.#client !== lost) return;
    this.#client = undefined;
    clearInterval(this.#check);
    void lost.end().catch(() => undefined); // The connection is lost already.
    this.#failures += 1;
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        this.#connect();
      },
      toBackoffMs(this.#failures, BACKOFF),
    );
  }
}

// An older Beckon sends no number.
function toSeq(payload: string | undefined): number | undefined {
  const seq = Number(payload);
  return payload === undefined || payload === '' || !Number.isSafeInteger(seq) ? undefined : seq;
}
