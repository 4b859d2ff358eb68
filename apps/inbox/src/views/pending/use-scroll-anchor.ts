import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { findShift, type Line } from './lines.ts';

interface Laid {
  lines: readonly Line[];
  tops: readonly number[];
}

/**
 * Keeps the visible lines in place while others come and go above them. At the very top the list follows new lines,
 * unless the pointer or the focus is in it: a click could hit the wrong row. Returns whether lines were added above.
 */
export function useScrollAnchor(scroller: RefObject<HTMLDivElement | null>, laid: Laid): boolean {
  const before = useRef(laid);
  const [hasMoreAbove, setMoreAbove] = useState(false);

  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = laid;
    if (element === null || previous === laid) return;
    const isHeld = element.scrollTop > 0 || element.matches(':hover') || element.contains(document.activeElement);
    const shift = isHeld ? findShift(previous, laid, element.scrollTop) : 0;
    if (shift === 0) return;
    element.scrollTop += shift;
    if (shift > 0) setMoreAbove(true);
  }, [scroller, laid]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => {
      if (element.scrollTop < 16) setMoreAbove(false);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);

  return hasMoreAbove;
}
