import { useKey } from 'beckon/react/parts';
import { type RefObject, useRef } from 'react';

/** Lets j, k and the arrow keys move through the `data-row` elements inside the ref. */
export function useRowKeys(): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const move = (by: 1 | -1): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const focused = rows.findIndex((row) => row === document.activeElement);
    const from = focused === -1 ? rows.findIndex((row) => row.getAttribute('aria-current') === 'true') : focused;
    rows[from === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, from + by))]?.focus();
  };
  useKey('j', () => move(1));
  useKey('k', () => move(-1));
  return list;
}
