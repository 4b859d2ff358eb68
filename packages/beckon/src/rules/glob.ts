/**
 * Whether a path fits a pattern. `*` stands for any characters of one name, `?` for one of them, and `**` as a whole
 * name for any names; everything else is itself. `src/**` is what is in `src`, not `src`.
 *
 * No pattern makes it slow: only the last star is ever tried again, so it takes at most as many steps as the lengths of
 * both multiplied. `steps` counts them.
 */
export function matchGlob(pattern: string, path: string, steps: { taken: number } = { taken: 0 }): boolean {
  const names = pattern.split('/');
  if (names.at(-1) === '**') names.push('*');
  return matchItems(names, path.split('/'), '**', (name, given) =>
    matchItems(name, given, '*', (one, other) => {
      steps.taken += 1;
      return one === '?' || one === other;
    }),
  );
}

/** Whether a name or a path has a character that stands for others. */
export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}

/** The names of a pattern up to the first one with a wildcard. */
export function toLiteralNames(pattern: string): string[] {
  const names = pattern.split('/');
  const end = names.findIndex(hasWildcard);
  return end < 0 ? names : names.slice(0, end);
}

function matchItems(
  pattern: ArrayLike<string>,
  items: ArrayLike<string>,
  star: string,
  isSame: (one: string, other: string) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let lastStar = -1;
  let taken = 0;
  while (item < items.length) {
    const wanted = pattern[at];
    if (wanted === star) {
      lastStar = at;
      taken = item;
      at += 1;
    } else if (wanted !== undefined && isSame(wanted, items[item] ?? '')) {
      at += 1;
      item += 1;
    } else if (lastStar < 0) {
      return false;
    } else {
      // The last star takes one more, and what follows it is tried again.
      taken += 1;
      item = taken;
      at = lastStar + 1;
    }
  }
  while (pattern[at] === star) at += 1;
  return at === pattern.length;
}
