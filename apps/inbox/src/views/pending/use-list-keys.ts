import { useKey } from 'beckon/react/parts';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Line } from './lines.ts';

/** From this width on, a request opens beside the list instead of over it. */
const WIDE = '(width >= 64rem)';

/**
 * The keys that move through the list. Beside the list the request opens at once; a held key opens only the one where
 * it is released.
 */
export function useListKeys({
  lines,
  openId,
  cursor,
  onFocus,
  onOpen,
}: {
  lines: readonly Line[];
  openId: string | undefined;
  /** The row that had the focus last. */
  cursor: RefObject<string | null>;
  onFocus: (line: Line) => void;
  onOpen: (id: string) => void;
}): void {
  const readPlace = (): number => {
    const focused = document.activeElement?.closest('[data-id], [data-group]');
    const key = focused?.getAttribute('data-id') ?? focused?.getAttribute('data-group');
    const find = (wanted: string | null | undefined): number =>
      wanted == null
        ? -1
        : lines.findIndex(
            (line) =>
              line.key === wanted || (line.type === 'entry' && line.entry.steps.some(({ id }) => id === wanted)),
          );
    // What is open counts more than a row that the focus has left.
    return [key, openId, cursor.current].map(find).find((place) => place !== -1) ?? -1;
  };
  const wasHeld = useRef(false);
  const goTo = (line: Line | undefined, isHeld: boolean): void => {
    if (line === undefined) return;
    wasHeld.current = isHeld;
    if (line.type === 'entry') cursor.current = line.key;
    onFocus(line);
    if (line.type === 'entry' && !isHeld && matchMedia(WIDE).matches && line.key !== openId) onOpen(line.key);
  };
  const move = (by: 1 | -1, event: KeyboardEvent): void => {
    const from = readPlace();
    const entries = lines.filter((line) => line.type === 'entry');
    if (from === -1) return goTo(entries[0], event.repeat);
    const following = by === 1 ? lines.slice(from + 1) : lines.slice(0, from).reverse();
    goTo(following.find((line) => line.type === 'entry') ?? entries.at(by === 1 ? -1 : 0), event.repeat);
  };
  const moveGroup = (by: 1 | -1): void => {
    const starts = lines.flatMap((_, index) => (isGroupStart(lines, index) ? [index] : []));
    const from = readPlace();
    const here = starts.findLastIndex((start) => start <= from);
    const index = starts[Math.min(starts.length - 1, Math.max(0, here + by))];
    if (index !== undefined) goTo(lines[index], false);
  };
  useKey('j', (event) => move(1, event));
  useKey('k', (event) => move(-1, event));
  useKey('J', () => moveGroup(1));
  useKey('K', () => moveGroup(-1));
  const release = useEffectEvent((event: KeyboardEvent) => {
    if (!wasHeld.current || !['j', 'k', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
    wasHeld.current = false;
    const id = document.activeElement?.closest('[data-id]')?.getAttribute('data-id');
    if (id != null && id === cursor.current && id !== openId && matchMedia(WIDE).matches) onOpen(id);
  });
  useEffect(() => {
    const onKeyUp = (event: KeyboardEvent): void => release(event);
    addEventListener('keyup', onKeyUp);
    return () => removeEventListener('keyup', onKeyUp);
  }, []);
}

// A group begins with its first request, or with its heading where it is folded.
function isGroupStart(lines: readonly Line[], index: number): boolean {
  const line = lines[index];
  if (line?.type !== 'entry') return line?.isFolded === true;
  const before = lines[index - 1];
  return before !== undefined && before.type !== 'entry';
}
