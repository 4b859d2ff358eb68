// Runs before the first paint, so a chosen theme does not flash. src/views/settings/theme.ts writes the key.
try {
  const theme = localStorage.getItem('beckon.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.classList.add(theme);
} catch {
  // Storage may be forbidden; then the page follows the system.
}
