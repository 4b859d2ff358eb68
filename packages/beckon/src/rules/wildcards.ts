/**
 * Whether some text matches both patterns, in which `*` stands for any characters and `?` for one. It walks both at
 * once, so it takes at most the product of their lengths.
 */
export function canOverlap(one: string, other: string): boolean {
  const first = Array.from(one);
  const second = Array.from(other);
  let row = new Set([0]);
  for (let at = 0; at <= first.length; at += 1) {
    const here = closeOver(row, second, first[at] === '*');
    if (at === first.length) return here.has(second.length);
    const next = new Set<number>();
    for (const place of here) {
      if (first[at] === '*' || second[place] === '*') next.add(place);
      else if (place < second.length && isSame(first[at], second[place])) next.add(place + 1);
    }
    row = next;
  }
  return false;
}

/** The places in the second pattern that can be reached without a character of the first. */
function closeOver(from: ReadonlySet<number>, pattern: readonly string[], isAny: boolean): Set<number> {
  const reached = new Set(from);
  for (const place of reached) {
    if (place < pattern.length && (isAny || pattern[place] === '*')) reached.add(place + 1);
  }
  return reached;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === '?' || other === '?' || one === other;
}

/** A pattern for commands, in which ` *` at the end may also stand for nothing at all. */
export function toWordPatterns(pattern: string): string[] {
  return pattern.endsWith(' *') ? [pattern.slice(0, -2), pattern] : [pattern];
}
