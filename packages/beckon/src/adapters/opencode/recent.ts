/** Remembers the last so many keys, for events that come twice or in another order. */
export class Recent<Value = true> {
  readonly #entries = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }
}
