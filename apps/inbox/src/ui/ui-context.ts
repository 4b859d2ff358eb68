import { createContext, use } from 'react';
import type { Announcer } from './announcer.tsx';
import type { Toasts } from './toasts.tsx';

interface Ui {
  toasts: Toasts;
  announcer: Announcer;
}

export const UiContext = createContext<Ui | null>(null);

/** The toasts and the live region of the page. */
export function useUi(): Ui {
  const ui = use(UiContext);
  if (ui === null) throw new Error('Expected to be rendered inside UiContext.');
  return ui;
}
