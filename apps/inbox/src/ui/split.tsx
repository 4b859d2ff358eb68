import { classNames, keep, readKept } from 'beckon/react/parts';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { texts } from './texts.ts';

const WIDTH_KEY = 'beckon.list-width';
const DEFAULT_PX = 400;
const LEAST_PX = 260;
/** The open item keeps at least this much of the width. */
const MOST_SHARE = 0.6;
const STEP_PX = 24;

/**
 * A list and the open item beside it. The line between them can be moved, and this browser remembers where it is. On
 * narrow screens the open item replaces the list.
 */
export function Split({ list, detail, isOpen }: { list: ReactNode; detail: ReactNode; isOpen: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(readWidth);
  const most = (): number => Math.max(LEAST_PX, (frame.current?.clientWidth ?? innerWidth) * MOST_SHARE);
  const change = (wanted: number): void => {
    const next = Math.round(Math.min(most(), Math.max(LEAST_PX, wanted)));
    keep(WIDTH_KEY, String(next));
    setWidth(next);
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    change(event.clientX - (frame.current?.getBoundingClientRect().left ?? 0));
  };
  const press = (event: KeyboardEvent): void => {
    const widths: Record<string, number> = {
      ArrowLeft: width - STEP_PX,
      ArrowRight: width + STEP_PX,
      Home: LEAST_PX,
      End: most(),
    };
    const wanted = widths[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    change(wanted);
  };
  return (
    <div ref={frame} className="flex h-full">
      <div
        className={classNames(
          'min-h-0 w-full min-w-0 flex-col bg-canvas lg:flex lg:w-(--list-width) lg:max-w-3/5 lg:shrink-0',
          isOpen ? 'hidden' : 'flex',
        )}
        style={{ '--list-width': `${width}px` } as object}
      >
        {list}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it can be moved */}
      <hr
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={texts.listWidth}
        aria-valuenow={width}
        aria-valuemin={LEAST_PX}
        aria-valuemax={Math.round(innerWidth * MOST_SHARE)}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
        onDoubleClick={() => change(DEFAULT_PX)}
        className="relative z-20 -mx-1 hidden h-full w-2 shrink-0 cursor-col-resize touch-none border-0 bg-transparent before:absolute before:inset-y-0 before:left-1 before:w-px before:bg-line hover:before:w-0.5 hover:before:bg-accent focus-visible:before:bg-accent lg:block"
      />
      <div className={classNames('min-h-0 min-w-0 flex-1 bg-surface lg:block', isOpen ? 'block' : 'hidden')}>
        {detail}
      </div>
    </div>
  );
}

function readWidth(): number {
  const kept = Number(readKept(WIDTH_KEY));
  return Number.isFinite(kept) && kept >= LEAST_PX ? kept : DEFAULT_PX;
}
