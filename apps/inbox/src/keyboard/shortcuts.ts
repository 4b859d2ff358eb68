/** What a key can do. */
export type Action =
  | 'next'
  | 'previous'
  | 'leave'
  | 'order'
  | 'search'
  | 'help'
  | 'settings'
  | 'goPending'
  | 'goHistory'
  | 'goSessions'
  | 'goStatistics'
  | 'goDevices';

/** Keys in a row that do something. */
const SEQUENCES: Readonly<Record<string, Action>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  Escape: 'leave',
  o: 'order',
  '/': 'search',
  '?': 'help',
  ',': 'settings',
  'g p': 'goPending',
  'g h': 'goHistory',
  'g s': 'goSessions',
  'g t': 'goStatistics',
  'g d': 'goDevices',
};

/** How long after the first key of a row the second may come. */
const ROW_MS = 1200;

/** What is known of a key press. */
export interface Press {
  key: string;
  at: number;
  hasModifier: boolean;
  /** Whether the focus is where the key has a meaning of its own. */
  isTyping: boolean;
}

/** Finds out which action a key press means, together with the one before it. */
export class KeyReader {
  #before: { key: string; at: number } | null = null;

  read({ key, at, hasModifier, isTyping }: Press): Action | null {
    if (hasModifier || isTyping) {
      this.#before = null;
      return null;
    }
    const before = this.#before;
    this.#before = null;
    if (before !== null && at - before.at <= ROW_MS) {
      const action = SEQUENCES[`${before.key} ${key}`];
      if (action !== undefined) return action;
    }
    if (key === 'g') this.#before = { key, at };
    return SEQUENCES[key] ?? null;
  }
}
