import { useVirtualizer } from '@tanstack/react-virtual';
import type { Interaction } from 'beckon/protocol';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useKey } from '../../keyboard/use-key.ts';
import { PendingRow } from './pending-row.tsx';
import { texts } from './texts.ts';
import { usePressedRow } from './use-pressed-row.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

/** All rows have the same height, so ten thousand need no measuring. */
const ROW_REM = 5;

/** A list of any length; only visible rows are in the document. */
export function PendingList({ items, openId }: { items: readonly Interaction[]; openId: string | undefined }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [rowPx] = useState(() => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const cursor = useRef<string | null>(null);
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  const onFocus = useCallback((id: string) => {
    cursor.current = id;
  }, []);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 8,
  });
  const newAbove = useScrollAnchor({ scroller, items, rowPx });
  const pressedRow = usePressedRow();

  const move = (by: 1 | -1) => {
    const focused = document.activeElement?.closest('[data-id]')?.getAttribute('data-id');
    const from = items.findIndex(({ id }) => id === (focused ?? cursor.current ?? openId));
    const index = from === -1 ? 0 : Math.min(items.length - 1, Math.max(0, from + by));
    rows.scrollToIndex(index);
    const id = items[index]?.id;
    if (id !== undefined) setWanted({ id });
  };
  useKey('j', () => move(1));
  useKey('k', () => move(-1));

  // The row may not be rendered before it is scrolled to.
  useEffect(() => {
    if (wanted === null) return;
    const frame = requestAnimationFrame(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.id)}"]`);
      row?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);

  // Scrolls to a request that was opened by a link or as the next one.
  const openIndex = openId === undefined ? -1 : items.findIndex(({ id }) => id === openId);
  const isListed = openIndex !== -1;
  const scrollToOpen = useEffectEvent(() => rows.scrollToIndex(openIndex));
  // Only when another request is opened: new rows above must not scroll.
  useEffect(() => {
    if (openId !== undefined && isListed) scrollToOpen();
  }, [openId, isListed]);

  return (
    <div className="relative min-h-0 flex-1">
      {newAbove > 0 && (
        <button
          type="button"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
          className="appear absolute top-2 left-1/2 z-10 -translate-x-1/2 rounded-full border border-line bg-raised px-3 py-1 text-xs font-medium text-accent-text shadow-pop"
        >
          {texts.arrived(newAbove)}
        </button>
      )}
      <div
        ref={scroller}
        data-shortcut-list
        {...pressedRow}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <ul aria-label={texts.list} className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const interaction = items[index];
            if (interaction === undefined) return null;
            return (
              <li
                key={key}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: rowPx, transform: `translateY(${start}px)` }}
              >
                <PendingRow interaction={interaction} isOpen={interaction.id === openId} onFocus={onFocus} />
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
