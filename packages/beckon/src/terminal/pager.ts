import type { Key, Screen } from './screen.ts';
import { wrap } from './text-layout.ts';

/** How the pager ended: `done` goes on, `back` is Esc, `leave` is Ctrl-C, `closed` means that the signal aborted. */
export type PagerEnd = 'done' | 'back' | 'leave' | 'closed';

/** How a text is shown. */
export interface PageOptions {
  /** What happens when the person has read enough. Default: they decide. */
  done?: string;
  /** Whether it opens at its end. */
  isAtEnd?: boolean;
}

/** Shows a long text page by page until the person has read enough. The text is ready for a terminal. */
export async function page(
  screen: Screen,
  title: string,
  text: string,
  signal: AbortSignal,
  options: PageOptions = {},
): Promise<PagerEnd> {
  if (signal.aborted) return 'closed';
  const wasOpen = screen.isOpen;
  screen.open();
  try {
    return await follow(screen, title, text, signal, options);
  } finally {
    if (!wasOpen) screen.close();
  }
}

async function follow(
  screen: Screen,
  title: string,
  text: string,
  signal: AbortSignal,
  { done = 'to decide', isAtEnd = false }: PageOptions,
): Promise<PagerEnd> {
  let top = isAtEnd ? Number.MAX_SAFE_INTEGER : 0;
  const draw = (): void => {
    const lines = wrap(text, screen.columns);
    const height = toHeight(screen);
    top = Math.min(Math.max(0, top), Math.max(0, lines.length - height));
    const shown = lines.slice(top, top + height);
    const filled = [...shown, ...Array.from({ length: height - shown.length }, () => '')];
    const last = top + shown.length;
    const place = last >= lines.length ? 'end' : `${Math.floor((last / lines.length) * 100)}%`;
    screen.draw([
      screen.line(title, 'bold'),
      ...filled.map((line) => screen.line(line)),
      screen.line(`${place} · space/b page · q ${done} · esc back`, 'inverse'),
    ]);
  };
  draw();
  return new Promise((resolve) => {
    const end = (how: PagerEnd): void => {
      stop();
      signal.removeEventListener('abort', onAbort);
      resolve(how);
    };
    const onAbort = (): void => end('closed');
    const stop = screen.listen((key) => {
      const how = toEnd(key);
      if (how !== null) return end(how);
      top = scroll(top, key, toHeight(screen));
      draw();
    }, draw);
    signal.addEventListener('abort', onAbort);
  });
}

function toHeight(screen: Screen): number {
  return Math.max(1, screen.rows - 2);
}

function toEnd({ name, isCtrl }: Key): PagerEnd | null {
  if (isCtrl && name === 'c') return 'leave';
  if (name === 'escape') return 'back';
  return name === 'q' || name === 'return' || name === 'enter' ? 'done' : null;
}

function scroll(top: number, { name, isCtrl }: Key, height: number): number {
  switch (isCtrl ? `ctrl-${name}` : name) {
    case 'down':
    case 'j':
      return top + 1;
    case 'up':
    case 'k':
      return top - 1;
    case 'pagedown':
    case 'space':
    case 'ctrl-f':
    case 'right':
      return top + height;
    case 'pageup':
    case 'b':
    case 'ctrl-b':
    case 'left':
      return top - height;
    case 'home':
    case 'g':
      return 0;
    case 'end':
      return Number.MAX_SAFE_INTEGER;
    default:
      return top;
  }
}
