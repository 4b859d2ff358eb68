import { type Line, layOut } from './line.ts';
import { PromptLeft } from './prompt-context.ts';
import type { Key, Screen } from './screen.ts';
import { cut, wrap } from './text-layout.ts';

/** What a view shows, and what its keys do. Everything but the bar scrolls. */
export interface View<Result> {
  /** Stays in the first row where the beginning is out of sight. */
  title: string;
  /** What the person decides about. */
  lines(): readonly Line[];
  /** What helps them, below it. */
  more?(): readonly Line[];
  /** What was said last or must be decided first, above the keys; painted. */
  notes?(): readonly Line[];
  /** What the keys do, such as "y allow". */
  keys(): readonly string[];
  /** The names of the keys that decide something. */
  decides: readonly string[];
  /** The keys that scroll. Default: arrows, pages, space and b, home and end. */
  scrolls?: readonly string[];
  /** Takes a key. Anything but `undefined` ends the view. */
  press(key: Key): Result | undefined;
  /** Hears how to draw again when its lines have changed. `isOther`: what is decided about has changed. */
  onOpen?(redraw: (isOther: boolean) => void): void;
}

/** Where a view is scrolled to, kept while something else is on the screen. */
export interface Scroll {
  top: number;
  /** How many rows have been on the screen, counted from the first. */
  seen: number;
  /** How many there are of what the person decides about. */
  total: number;
}

const SEPARATOR = ' · ';
/** How often the ages are refreshed. */
const REFRESH_MS = 1_000;
const SCROLLING = ['up', 'down', 'pageup', 'pagedown', 'space', 'b', 'home', 'end'];

export function createScroll(): Scroll {
  return { top: 0, seen: 0, total: 0 };
}

/** Shows a view until a key ends it. Throws `PromptLeft` on Esc and Ctrl-C, and when the signal aborts. */
export async function openView<Result>(
  screen: Screen,
  view: View<Result>,
  scroll: Scroll,
  signal: AbortSignal,
): Promise<Result> {
  if (signal.aborted) throw new PromptLeft(false);
  let shownAt = performance.now();
  const draw = (): void => screen.draw(render(screen, view, scroll, performance.now() - shownAt < screen.momentMs));
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isOpen = true;
    const begin = (): void => {
      shownAt = performance.now();
      clearTimeout(timer);
      // The bar looks different until its keys count.
      if (screen.momentMs > 0) timer = setTimeout(draw, screen.momentMs + 1);
      draw();
    };
    const end = (settle: () => void): void => {
      isOpen = false;
      stop();
      clearTimeout(timer);
      clearInterval(refreshing);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => end(() => reject(new PromptLeft(false)));
    const onKey = (key: Key): void => {
      if (key.isCtrl && key.name === 'c') return end(() => reject(new PromptLeft(true)));
      if (key.name === 'escape') return end(() => reject(new PromptLeft(false)));
      if ((view.scrolls ?? SCROLLING).includes(key.name)) scrollBy(scroll, key.name, toHeight(screen, view));
      const result = view.press(key);
      if (result !== undefined) return end(() => resolve(result));
      draw();
    };
    const refreshing = setInterval(draw, REFRESH_MS);
    const stop = screen.listen(onKey, draw, { decides: view.decides });
    signal.addEventListener('abort', onAbort);
    begin();
    view.onOpen?.((isOther) => {
      if (!isOpen) return;
      if (!isOther) return draw();
      scroll.seen = 0;
      screen.restartGuard();
      begin();
    });
  });
}

function render<Result>(screen: Screen, view: View<Result>, scroll: Scroll, isInert: boolean): string[] {
  const { columns } = screen;
  const decided = layOut(view.lines(), columns);
  const rows = [...decided, ...layOut(view.more?.() ?? [], columns)];
  const bar = toBar(screen, view);
  const height = Math.max(1, screen.rows - bar.length);
  scroll.total = decided.length;
  scroll.top = Math.min(Math.max(0, scroll.top), Math.max(0, rows.length - height));
  const shown = rows.slice(scroll.top, scroll.top + height);
  scroll.seen = Math.max(scroll.seen, scroll.top + shown.length);
  if (scroll.top > 0) shown[0] = screen.line(`↑ ${view.title}`, 'inverse');
  const below = rows.length - scroll.top - shown.length;
  const blank = Array.from({ length: height - shown.length }, () => '');
  const [rule = '', ...rest] = bar;
  const more = below > 0 ? ` ${below} more below: space ` : '';
  const ruled = `${'─'.repeat(2)}${more}${rule}`.slice(0, columns);
  return [
    ...shown,
    ...blank,
    screen.paint(ruled, below > 0 ? 'yellow' : 'dim'),
    ...rest.map((row) => (isInert ? screen.paint(row, 'dim') : row)),
  ];
}

function toHeight<Result>(screen: Screen, view: View<Result>): number {
  // One line of the page before stays in sight, below the title.
  return Math.max(1, screen.rows - toBar(screen, view).length - 2);
}

function toBar<Result>(screen: Screen, view: View<Result>): string[] {
  const { columns } = screen;
  const notes = layOut(view.notes?.() ?? [], columns);
  return ['─'.repeat(columns), ...notes, ...toKeyRows(view.keys(), columns)];
}

/** The keys in as few rows as they need; none is broken. */
export function toKeyRows(keys: readonly string[], columns: number): string[] {
  const rows: string[] = [];
  for (const key of keys) {
    const last = rows.at(-1);
    const longer = `${last}${SEPARATOR}${key}`;
    if (last === undefined || longer.length > columns) rows.push(cut(key, columns));
    else rows[rows.length - 1] = longer;
  }
  return rows.flatMap((row) => wrap(row, columns));
}

function scrollBy(scroll: Scroll, name: string, height: number): void {
  const steps: Record<string, number> = {
    up: -1,
    down: 1,
    pageup: -height,
    b: -height,
    pagedown: height,
    space: height,
    home: -Number.MAX_SAFE_INTEGER,
    end: Number.MAX_SAFE_INTEGER,
  };
  // Drawing stops it at the last row.
  scroll.top = Math.max(0, scroll.top + (steps[name] ?? 0));
}
