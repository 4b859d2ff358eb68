import { useKey } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Levels } from './filter-pending.ts';
import { GroupHeading } from './group-heading.tsx';
import { type Line, toTops } from './lines.ts';
import { PendingRow, type RowActions } from './pending-row.tsx';
import { texts } from './texts.ts';
import { useListKeys } from './use-list-keys.ts';
import type { ListPreferences } from './use-list-preferences.ts';
import { usePressedRow } from './use-pressed-row.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import type { Selection } from './use-selection.ts';
import { useVisibleLines } from './use-visible-lines.ts';

/** All lines of one type have the same height, so ten thousand need no measuring. In rem. */
const HEIGHTS = {
  fine: { project: 2.25, session: 1.75, dense: 2.25, roomy: 3.5 },
  coarse: { project: 2.75, session: 2.75, dense: 2.75, roomy: 3.75 },
};

/** A list of any length; only visible lines are in the document. */
export function PendingList({
  lines,
  levels,
  count,
  preferences: { density, fold },
  openId,
  selection,
  onOpen,
}: {
  lines: readonly Line[];
  levels: Levels;
  /** How many requests are among the lines. */
  count: number;
  preferences: ListPreferences;
  openId: string | undefined;
  selection: Selection;
  /** Shows a request beside the list, and leaves the focus in the list. */
  onOpen: (id: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const laid = useMemo(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const { project, session, [density]: entry } = HEIGHTS[matchMedia('(pointer: coarse)').matches ? 'coarse' : 'fine'];
    return { lines, tops: toTops(lines, { project: project * rem, session: session * rem, entry: entry * rem }) };
  }, [lines, density]);
  const { start, end } = useVisibleLines(scroller, laid.tops);
  const hasMoreAbove = useScrollAnchor(scroller, laid);
  const pressedRow = usePressedRow();
  const cursor = useRef<string | null>(null);

  const show = (index: number): void => {
    const element = scroller.current;
    const top = laid.tops[index];
    const bottom = laid.tops[index + 1];
    if (element === null || top === undefined || bottom === undefined) return;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  };
  const [wanted, setWanted] = useState<{ key: string } | null>(null);
  const focusLine = (line: Line): void => {
    show(lines.indexOf(line));
    setWanted({ key: line.key });
  };
  // The line may not be drawn before it is scrolled to.
  useEffect(() => {
    if (wanted === null) return;
    const frame = requestAnimationFrame(() => {
      const key = CSS.escape(wanted.key);
      const line = scroller.current?.querySelector<HTMLElement>(`[data-id="${key}"], [data-group="${key}"]`);
      line?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);

  useListKeys({ lines, openId, cursor, onFocus: focusLine, onOpen });
  useKey('x', () => {
    const id = readFocused() ?? openId;
    if (id !== undefined) selection.toggle(id, false);
  });

  const toggle = useRef(selection.toggle);
  useLayoutEffect(() => {
    toggle.current = selection.toggle;
  });
  // The same object in every render, so unchanged rows are not drawn again.
  const [actions] = useState<RowActions>(() => ({
    onFocus: (id) => {
      cursor.current = id;
    },
    onEnter: () => document.querySelector<HTMLElement>('article h1')?.focus(),
    onSelect: (id, isRange) => toggle.current(id, isRange),
  }));

  // Scrolls to a request that was opened by a link or as the next one. Only then: new lines must not scroll.
  const openIndex = lines.findIndex((line) => isOpenLine(line, openId));
  const isListed = openIndex !== -1;
  const scrollToOpen = useEffectEvent(() => show(openIndex));
  useEffect(() => {
    if (openId !== undefined && isListed) scrollToOpen();
  }, [openId, isListed]);

  return (
    <div className="relative min-h-0 flex-1">
      {hasMoreAbove && (
        <button
          type="button"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
          className="appear absolute top-2 left-1/2 z-10 -translate-x-1/2 rounded-full border border-line bg-raised px-3 py-1 text-xs font-medium text-accent-text shadow-pop"
        >
          {texts.moreAbove}
        </button>
      )}
      <div
        ref={scroller}
        data-shortcut-list
        {...pressedRow}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <ul aria-label={texts.list} className="relative w-full" style={{ height: laid.tops.at(-1) }}>
          {lines.slice(start, end).map((line, place) => (
            <li
              key={line.key}
              {...(line.type === 'entry' && { 'aria-setsize': count, 'aria-posinset': line.place + 1 })}
              className="absolute inset-x-0 top-0"
              style={{
                height: Number(laid.tops[start + place + 1]) - Number(laid.tops[start + place]),
                transform: `translateY(${laid.tops[start + place]}px)`,
              }}
            >
              {line.type === 'entry' ? (
                <PendingRow
                  entry={line.entry}
                  level={levels.get(line.key)}
                  density={density}
                  isOpen={isOpenLine(line, openId)}
                  isSelected={selection.ids.has(line.key)}
                  isSelecting={selection.isSelecting}
                  isForeign={line.isForeign}
                  actions={actions}
                />
              ) : (
                <GroupHeading line={line} onFold={fold} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function isOpenLine(line: Line, openId: string | undefined): boolean {
  return line.type === 'entry' && line.entry.steps.some(({ id }) => id === openId);
}

function readFocused(): string | undefined {
  return document.activeElement?.closest('[data-id]')?.getAttribute('data-id') ?? undefined;
}
