/** `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'beckon.theme';

/** The chosen theme. `public/theme.js` reads the same key before the first paint. */
export function readTheme(): Theme {
  const theme = localStorage.getItem(KEY);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Shows a theme at once, and remembers it for this browser. */
export function applyTheme(theme: Theme): void {
  document.documentElement.classList.remove('light', 'dark');
  if (theme === 'system') localStorage.removeItem(KEY);
  else {
    localStorage.setItem(KEY, theme);
    document.documentElement.classList.add(theme);
  }
}
