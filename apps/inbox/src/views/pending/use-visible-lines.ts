import { type RefObject, useLayoutEffect, useState } from 'react';

/** Lines this far outside are drawn as well, so scrolling shows no gaps. */
const AROUND_PX = 400;
/** The range changes only after this much scrolling. */
const STEP_PX = 200;

/** The range of lines to draw: those in sight, and some around them. `tops` says where each line begins. */
export function useVisibleLines(
  scroller: RefObject<HTMLElement | null>,
  tops: readonly number[],
): { start: number; end: number } {
  const [view, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = (): void => {
      const top = Math.floor(element.scrollTop / STEP_PX) * STEP_PX;
      const height = element.clientHeight;
      setView((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller]);
  const start = Math.max(0, findLine(tops, view.top - AROUND_PX));
  const end = findLine(tops, view.top + view.height + STEP_PX + AROUND_PX) + 1;
  return { start, end: Math.min(tops.length - 1, end) };
}

/** The last line that begins at or before `y`. */
function findLine(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Number(tops[middle]) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
