import { type KeyName, NAMES } from './keys.ts';

/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1200;
/** The keys that begin a sequence. */
const FIRST = new Set([...NAMES.keys()].filter((press) => press.includes(' ')).map((press) => press.split(' ')[0]));

export interface Press {
  key: string;
  at: number;
  hasModifier: boolean;
  /** Whether the focused element uses the key itself. */
  isTyping: boolean;
}

/** Finds the name of a key press, which may complete a sequence. */
export class KeyReader {
  #before: { key: string; at: number } | null = null;

  read({ key, at, hasModifier, isTyping }: Press): KeyName | null {
    const before = this.#before;
    this.#before = null;
    if (hasModifier || isTyping) return null;
    if (before !== null && at - before.at <= SEQUENCE_MS) {
      const name = NAMES.get(`${before.key} ${key}`);
      if (name !== undefined) return name;
    }
    if (FIRST.has(key)) this.#before = { key, at };
    return NAMES.get(key) ?? null;
  }
}
