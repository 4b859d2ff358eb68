import { useSyncExternalStore } from 'react';

/** One timer for all displayed times. It stops while the page is hidden. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function watch(): void {
  clearInterval(timer);
  timer = document.hidden || listeners.size === 0 ? undefined : setInterval(tick, 1000);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener('visibilitychange', onVisibility);
    now = Date.now();
  }
  listeners.add(listener);
  if (timer === undefined) watch();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', onVisibility);
    watch();
  };
}

function onVisibility(): void {
  if (!document.hidden) tick();
  watch();
}

/** The current time as `format` writes it. The component renders again only when the text changes. */
export function useTicking(format: (now: number) => string): string {
  return useSyncExternalStore(subscribe, () => format(now));
}
