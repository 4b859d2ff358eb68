import type { KeyName } from 'beckon/react/parts';

/** The parts of the help, in its order. */
export const KEY_GROUPS = ['deciding', 'list', 'request', 'anywhere'] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

/** What each key does. It is loaded with the help, and the compiler misses a key without a line. */
export const KEY_HELP: Readonly<Record<KeyName, { group: KeyGroup; does: string }>> = {
  y: { group: 'deciding', does: 'Allow' },
  A: { group: 'deciding', does: 'Allow anyway, what is dangerous' },
  n: { group: 'deciding', does: 'Deny' },
  r: { group: 'deciding', does: 'Deny with a reason' },
  e: { group: 'deciding', does: 'Edit' },
  m: { group: 'deciding', does: 'Remember the decision' },
  '1-9': { group: 'deciding', does: 'Choose an option' },
  j: { group: 'list', does: 'Next' },
  k: { group: 'list', does: 'Previous' },
  J: { group: 'list', does: 'Next project or session' },
  K: { group: 'list', does: 'Previous project or session' },
  x: { group: 'list', does: 'Select' },
  '/': { group: 'list', does: 'Search' },
  a: { group: 'request', does: 'Those like this one' },
  s: { group: 'request', does: 'Snooze' },
  c: { group: 'request', does: 'Conversation' },
  o: { group: 'request', does: 'Show as JSON' },
  l: { group: 'request', does: 'Log' },
  '+': { group: 'request', does: 'Comment on a plan' },
  '[': { group: 'request', does: 'Previous question of a call' },
  ']': { group: 'request', does: 'Next question of a call' },
  Escape: { group: 'request', does: 'Close or go back' },
  'g i': { group: 'anywhere', does: 'Inbox' },
  'g h': { group: 'anywhere', does: 'History' },
  'g r': { group: 'anywhere', does: 'Rules' },
  'g s': { group: 'anywhere', does: 'Sessions' },
  'g t': { group: 'anywhere', does: 'Statistics' },
  'g d': { group: 'anywhere', does: 'Devices' },
  ',': { group: 'anywhere', does: 'Settings' },
  '?': { group: 'anywhere', does: 'Show this list' },
};
