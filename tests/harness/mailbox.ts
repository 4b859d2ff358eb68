/** Keeps what was said until somebody asks for it. Any number may wait for different things at once. */
export class Mailbox<Told extends { readonly type: string }> {
  readonly #messages: Told[] = [];
  readonly #readers = new Set<() => void>();
  #isClosed = false;

  put(message: Told): void {
    this.#messages.push(message);
    this.#wake();
  }

  /** Nothing more will come. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Everything that was said and nobody took so far. */
  takeAll(): Told[] {
    return this.#messages.splice(0);
  }

  /** Waits for the next message of a type. Those of other types stay. */
  async take<Type extends Told['type']>(type: Type): Promise<Extract<Told, { type: Type }>> {
    let found: Told | undefined;
    await this.#until(`said ${type}`, () => {
      const index = this.#messages.findIndex((message) => message.type === type);
      // Taken at once: by the time that this resolves, others may have taken theirs.
      [found] = index < 0 ? [] : this.#messages.splice(index, 1);
      return found !== undefined;
    });
    return found as Extract<Told, { type: Type }>;
  }

  /** Waits until there are so many messages that nobody took. */
  async holds(count: number): Promise<void> {
    await this.#until(`said ${count} things`, () => this.#messages.length >= count);
  }

  async #until(what: string, isThere: () => boolean): Promise<void> {
    while (!isThere()) {
      if (this.#isClosed) throw new Error(`The other process ended before it ${what}`);
      await new Promise<void>((resolve) => {
        this.#readers.add(resolve);
      });
    }
  }

  #wake(): void {
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const wakeUp of readers) wakeUp();
  }
}
