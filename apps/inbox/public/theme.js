// Runs before the first paint, so that a chosen theme does not flash. src/theme.ts writes what is read here.
try {
  const theme = localStorage.getItem('beckon.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.classList.add(theme);
} catch {
  // Storage may be forbidden; then the system's theme is used.
}
