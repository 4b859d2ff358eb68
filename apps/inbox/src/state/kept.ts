/** What this browser remembers for a person: looks and habits, nothing that the server has. `null`: nothing is kept. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // Storage may be forbidden.
  }
}

/** Remembers a choice. Where the browser keeps nothing, it holds until the page is left. */
export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    return;
  }
}
