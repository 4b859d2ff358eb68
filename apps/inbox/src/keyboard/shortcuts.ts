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

/** Keys, or keys in sequence, and what they do. */
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

/** How long the second key of a sequence may take. */
const ROW_MS = 1200;

export interface Press {
  key: string;
  at: number;
  hasModifier: boolean;
  /** Whether the focused element uses the key itself. */
  isTyping: boolean;
}

/** Finds the action of a key press, which may complete a sequence. */
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
