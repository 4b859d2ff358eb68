import { keep, readKept } from 'beckon/react/parts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'beckon.theme';

/** The chosen theme. `public/theme.js` reads the same key before the first paint. */
export function readTheme(): Theme {
  const theme = readKept(KEY);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Applies a theme at once, and remembers it in this browser. */
export function applyTheme(theme: Theme): void {
  document.documentElement.classList.remove('light', 'dark');
  if (theme !== 'system') document.documentElement.classList.add(theme);
  keep(KEY, theme === 'system' ? null : theme);
}
