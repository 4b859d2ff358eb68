import { useMemo, useState } from 'react';
import type { Line } from './lines.ts';

/** The approvals that the person has selected to decide them together. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Whether rows show their checkboxes. */
  isSelecting: boolean;
  /** Selects or unselects a request; with `isRange`, everything from the last selected one on. */
  toggle: (id: string, isRange: boolean) => void;
  /** Shows the checkboxes before anything is selected, for fingers. */
  begin: () => void;
  clear: () => void;
}

/**
 * The selection among the visible lines. What has left the list is no longer selected, and what arrives never is.
 * `onRefused` is called for a request that cannot be decided together with others.
 */
export function useSelection(lines: readonly Line[], onRefused: () => void): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const [hasBegun, setBegun] = useState(false);
  const selectable = useMemo(
    () =>
      lines.flatMap((line) =>
        line.type === 'entry' && line.entry.interaction.kind === 'approval' ? [line.entry.interaction.id] : [],
      ),
    [lines],
  );
  const ids = useMemo(
    () => (chosen.size === 0 ? chosen : new Set(selectable.filter((id) => chosen.has(id)))),
    [chosen, selectable],
  );
  return {
    ids,
    isSelecting: hasBegun || ids.size > 0,
    begin: () => setBegun(true),
    clear: () => {
      setChosen(new Set());
      setBegun(false);
    },
    toggle: (id, isRange) => {
      const at = selectable.indexOf(id);
      if (at === -1) return onRefused();
      const next = new Set(ids);
      const from = isRange && last !== null ? selectable.indexOf(last) : -1;
      if (from !== -1) {
        for (const one of selectable.slice(Math.min(from, at), Math.max(from, at) + 1)) next.add(one);
      } else if (!next.delete(id)) next.add(id);
      setLast(id);
      setChosen(next);
    },
  };
}
