import pg from 'pg';

/**
 * Hears of commits of other processes. It connects when somebody follows for the first time, and from then on until it is closed
 * makes its connection anew, with growing pauses, whenever it is lost. While somebody follows, a sweep finds what was missed.
 */
export class Listener {
  readonly #config: pg.ClientConfig;
  readonly #sweepMs: number;
  readonly #followers = new Set<() => void>();
  #client: pg.Client | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(config: pg.ClientConfig, sweepMs: number) {
    this.#config = config;
    this.#sweepMs = sweepMs;
  }

  follow(onChange: () => void): () => void {
    // A set would merge two followers with the same function.
    const follower = (): void => onChange();
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
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #tell(): void {
    for (const follower of this.#followers) follower();
  }

  #connect(): void {
    const client = new pg.Client(this.#config);
    this.#client = client;
    client.on('notification', () => this.#tell());
    client.on('error', () => this.#reconnect(client));
    client.on('end', () => this.#reconnect(client));
    void client
      .connect()
      .then(() => client.query('listen beckon'))
      .then(() => {
        this.#failures = 0;
        // Whatever was committed before the connection was there has not been heard.
        this.#tell();
      })
      .catch(() => this.#reconnect(client));
  }

  #reconnect(lost: pg.Client): void {
    if (this.#client !== lost) return;
    this.#client = undefined;
    void lost.end().catch(() => undefined); // The connection is lost already.
    const pauseMs = Math.min(5000, 100 * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#connect();
    }, pauseMs);
  }
}
