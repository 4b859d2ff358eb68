interface Key {
  /** What is pressed; several keys do the same. Two keys with a space between them are pressed one after the other. */
  presses: readonly string[];
  /** It changes the open request, so it does nothing until that request could be seen. */
  isAboutRequest?: true;
  /** It may act again while it is held. Every other key must be released first. */
  repeats?: true;
}

/** Every key. A key without an entry here cannot be used, and the page's help has a line for each. */
export const KEYS = {
  // The two decisions are not marked as being about a request: the consent guard judges them and says why it refuses.
  y: { presses: ['y'] },
  // Far from `y`, and with Shift: nobody presses it by repeating themselves. `beckon inbox` has the same.
  A: { presses: ['A'] },
  n: { presses: ['n'] },
  r: { presses: ['r'], isAboutRequest: true },
  e: { presses: ['e'], isAboutRequest: true },
  m: { presses: ['m'], isAboutRequest: true },
  '1-9': {
    presses: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    isAboutRequest: true,
  },
  j: { presses: ['j', 'ArrowDown'], repeats: true },
  k: { presses: ['k', 'ArrowUp'], repeats: true },
  J: { presses: ['J'] },
  K: { presses: ['K'] },
  x: { presses: ['x'] },
  '/': { presses: ['/'] },
  a: { presses: ['a'], isAboutRequest: true },
  s: { presses: ['s'], isAboutRequest: true },
  c: { presses: ['c'] },
  o: { presses: ['o'] },
  l: { presses: ['l'] },
  '+': { presses: ['+'], isAboutRequest: true },
  '[': { presses: ['['] },
  ']': { presses: [']'] },
  Escape: { presses: ['Escape'] },
  'g i': { presses: ['g i'] },
  'g h': { presses: ['g h'] },
  'g r': { presses: ['g r'] },
  'g s': { presses: ['g s'] },
  'g t': { presses: ['g t'] },
  'g d': { presses: ['g d'] },
  ',': { presses: [','] },
  '?': { presses: ['?'] },
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
