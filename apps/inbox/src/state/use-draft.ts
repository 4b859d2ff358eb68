import { useCallback, useState } from 'react';

const PREFIX = 'beckon.draft.';

/**
 * State that outlives a reload of the tab, until it is cleared. What is found under the key is used only where `fits` says that it
 * has the right form. Where the browser keeps nothing, it is plain state.
 */
export function useDraft<Draft>(
  key: string,
  initial: Draft,
  fits: (kept: unknown) => kept is Draft,
): [draft: Draft, setDraft: (draft: Draft) => void, clear: () => void] {
  const name = `${PREFIX}${key}`;
  const [draft, setState] = useState<Draft>(() => {
    const kept = read(name);
    return fits(kept) ? kept : initial;
  });
  const setDraft = useCallback(
    (next: Draft) => {
      setState(next);
      write(name, JSON.stringify(next));
    },
    [name],
  );
  const clear = useCallback(() => write(name, null), [name]);
  return [draft, setDraft, clear];
}

/** Removes what this tab keeps for other keys than those that `isKept` names. */
export function keepDrafts(isKept: (key: string) => boolean): void {
  for (const name of readNames()) {
    if (name.startsWith(PREFIX) && !isKept(name.slice(PREFIX.length))) write(name, null);
  }
}

function readNames(): string[] {
  try {
    return Object.keys(sessionStorage);
  } catch {
    return [];
  }
}

function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

// Storage may be full or switched off. Then a draft lives as long as the page.
function write(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    return;
  }
}
