import { texts } from '../texts.ts';

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

/** What the help shows: the keys, and what they do. Keys of one row are pressed one after the other; a range is from the first to the last. */
export const SHORTCUT_HELP: readonly {
  title: string;
  rows: readonly { keys: readonly (readonly string[])[]; does: string; isRange?: true }[];
}[] = [
  {
    title: texts.shortcuts.groups.list,
    rows: [
      { keys: [['j'], ['↓']], does: texts.shortcuts.next },
      { keys: [['k'], ['↑']], does: texts.shortcuts.previous },
      { keys: [['Enter']], does: texts.shortcuts.open },
      { keys: [['Esc']], does: texts.shortcuts.leave },
      { keys: [['o']], does: texts.shortcuts.order },
      { keys: [['/']], does: texts.shortcuts.search },
    ],
  },
  {
    title: texts.shortcuts.groups.answering,
    rows: [
      { keys: [['1'], ['9']], isRange: true, does: texts.shortcuts.choose },
      { keys: [['Enter']], does: texts.shortcuts.send },
      { keys: [['Ctrl+Enter']], does: texts.shortcuts.sendText },
    ],
  },
  {
    title: texts.shortcuts.groups.anywhere,
    rows: [
      { keys: [['g', 'p']], does: texts.navigation.pending },
      { keys: [['g', 'h']], does: texts.navigation.history },
      { keys: [['g', 's']], does: texts.navigation.sessions },
      { keys: [['g', 't']], does: texts.navigation.statistics },
      { keys: [['g', 'd']], does: texts.navigation.devices },
      { keys: [[',']], does: texts.shortcuts.settings },
      { keys: [['?']], does: texts.shortcuts.help },
    ],
  },
];
