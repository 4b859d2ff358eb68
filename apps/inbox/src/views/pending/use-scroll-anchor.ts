import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { findAnchorShift } from './anchor-shift.ts';

/**
 * Keeps the visible rows in place while others come and go above them. At the very top the list follows new rows,
 * unless the pointer or the focus is in it: a click could hit the wrong row. Returns how many rows have been added
 * above.
 */
export function useScrollAnchor({
  scroller,
  items,
  rowPx,
}: {
  scroller: RefObject<HTMLDivElement | null>;
  items: readonly { id: string }[];
  rowPx: number;
}): number {
  const before = useRef(items);
  const [newAbove, setNewAbove] = useState(0);

  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = items;
    if (element === null || previous === items) return;
    const isHeld = element.scrollTop > 0 || element.matches(':hover') || element.contains(document.activeElement);
    const shift = isHeld ? findAnchorShift(previous, items, Math.floor(element.scrollTop / rowPx)) : 0;
    if (shift === 0) return;
    element.scrollTop += shift * rowPx;
    setNewAbove((count) => Math.max(0, count + shift));
  }, [scroller, items, rowPx]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => {
      if (element.scrollTop < rowPx / 2) setNewAbove(0);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller, rowPx]);

  return newAbove;
}
