/**
 * What people write first: promises in a map. Nothing is on disk, nothing is checked, and a restart loses everything.
 */
export class PromiseMap {
  readonly #waiting = new Map<string, (answer: string) => void>();
  #count = 0;

  /** Asks and waits. `onAsked` hears the id. */
  async handleQuestion(question: string, onAsked: (id: string) => void): Promise<Record<string, string>> {
    this.#count += 1;
    const id = `q_${this.#count}`;
    const answer = await new Promise<string>((resolve) => {
      this.#waiting.set(id, resolve);
      onAsked(id);
    });
    return { [question]: answer };
  }

  resolveOption(id: string, answer: string): boolean {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(answer);
    return resolve !== undefined;
  }
}
