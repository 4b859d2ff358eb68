import { texts } from './texts.ts';

/** The parts of the help, in its order. */
export const KEY_GROUPS = ['deciding', 'list', 'request', 'anywhere'] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

interface Key {
  /** What is pressed; several keys do the same. Two keys with a space between them are pressed one after the other. */
  presses: readonly string[];
  /** What it does, for the help. */
  does: string;
  group: KeyGroup;
  /** It changes the open request, so it does nothing until that request could be seen. */
  isAboutRequest?: true;
  /** It may act again while it is held. Every other key must be released first. */
  repeats?: true;
}

const { does } = texts;

/** Every key of the page. The help shows them all, so a key without an entry here cannot be used. */
export const KEYS = {
  // The two decisions are not marked as being about a request: the consent guard judges them and says why it refuses.
  y: { presses: ['y'], does: does.allow, group: 'deciding' },
  // Far from `y`, and with Shift: nobody presses it by repeating themselves. `beckon inbox` has the same.
  A: { presses: ['A'], does: does.allowAnyway, group: 'deciding' },
  n: { presses: ['n'], does: does.deny, group: 'deciding' },
  r: { presses: ['r'], does: does.denyWithReason, group: 'deciding', isAboutRequest: true },
  e: { presses: ['e'], does: does.edit, group: 'deciding', isAboutRequest: true },
  m: { presses: ['m'], does: does.remember, group: 'deciding', isAboutRequest: true },
  '1-9': {
    presses: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    does: does.choose,
    group: 'deciding',
    isAboutRequest: true,
  },
  j: { presses: ['j', 'ArrowDown'], does: does.next, group: 'list', repeats: true },
  k: { presses: ['k', 'ArrowUp'], does: does.previous, group: 'list', repeats: true },
  J: { presses: ['J'], does: does.nextGroup, group: 'list' },
  K: { presses: ['K'], does: does.previousGroup, group: 'list' },
  x: { presses: ['x'], does: does.select, group: 'list' },
  '/': { presses: ['/'], does: does.search, group: 'list' },
  a: { presses: ['a'], does: does.alike, group: 'request', isAboutRequest: true },
  s: { presses: ['s'], does: does.snooze, group: 'request', isAboutRequest: true },
  c: { presses: ['c'], does: does.conversation, group: 'request' },
  o: { presses: ['o'], does: does.json, group: 'request' },
  l: { presses: ['l'], does: does.log, group: 'request' },
  '+': { presses: ['+'], does: does.comment, group: 'request', isAboutRequest: true },
  '[': { presses: ['['], does: does.previousQuestion, group: 'request' },
  ']': { presses: [']'], does: does.nextQuestion, group: 'request' },
  Escape: { presses: ['Escape'], does: does.leave, group: 'request' },
  'g i': { presses: ['g i'], does: does.goInbox, group: 'anywhere' },
  'g h': { presses: ['g h'], does: does.goHistory, group: 'anywhere' },
  'g r': { presses: ['g r'], does: does.goRules, group: 'anywhere' },
  'g s': { presses: ['g s'], does: does.goSessions, group: 'anywhere' },
  'g t': { presses: ['g t'], does: does.goStatistics, group: 'anywhere' },
  'g d': { presses: ['g d'], does: does.goDevices, group: 'anywhere' },
  ',': { presses: [','], does: does.settings, group: 'anywhere' },
  '?': { presses: ['?'], does: does.help, group: 'anywhere' },
} as const satisfies Record<string, Key>;

/** The name of a key: the first of its presses, or `1-9`. */
export type KeyName = keyof typeof KEYS;

/** A key without the literal types of the list. */
export function toKey(name: KeyName): Key {
  return KEYS[name];
}

/** The name of each press. */
export const NAMES: ReadonlyMap<string, KeyName> = new Map(
  (Object.keys(KEYS) as KeyName[]).flatMap((name) => toKey(name).presses.map((press) => [press, name] as const)),
);
