import { useCallback, useState } from 'react';

const PREFIX = 'beckon.draft.';

/**
 * State that survives a reload of the tab until it is cleared. A stored value is used only if it `fits`. If the
 * browser stores nothing, this is plain state.
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

/** The same for several drafts, each with its own key. What is read must be checked: it may come from the storage. */
export function useDrafts(): { read: (key: string) => unknown; write: (key: string, draft: object | null) => void } {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, object | null>>(new Map());
  return {
    read: (key) => (drafts.has(key) ? drafts.get(key) : read(`${PREFIX}${key}`)),
    write: (key, draft) => {
      setDrafts((before) => new Map(before).set(key, draft));
      write(`${PREFIX}${key}`, draft === null ? null : JSON.stringify(draft));
    },
  };
}

/** Removes the drafts of this tab, except those that `isKept` names. */
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

// If storage is full or disabled, a draft lives as long as the page.
function write(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    return;
  }
}
