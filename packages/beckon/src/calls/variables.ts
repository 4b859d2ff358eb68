/** What a variable may be, when it is set several times. */
const MOST_VALUES = 4;

/** The variables that a text sets, each with the values that it may have. */
export class Variables {
  #values = new Map<string, readonly string[]>([
    ['IFS', [' ']],
    ['SHELL', ['sh']],
    ['BASH', ['bash']],
    ['0', ['sh']],
  ]);

  /** One of the values, the oldest first; after the last, the last. */
  valueOf(name: string, pick: number): string | undefined {
    const values = this.#values.get(name);
    return values?.[Math.min(pick, values.length - 1)];
  }

  count(name: string): number {
    return this.#values.get(name)?.length ?? 0;
  }

  /** Adds a value. Of too many, the newest stay: they are what most texts mean. */
  add(name: string, value: string): void {
    const values = this.#values.get(name) ?? [];
    if (!values.includes(value)) this.#values.set(name, [...values.slice(1 - MOST_VALUES), value]);
  }

  copy(): ReadonlyMap<string, readonly string[]> {
    return new Map(this.#values);
  }

  restore(values: ReadonlyMap<string, readonly string[]>): void {
    this.#values = new Map(values);
  }
}
