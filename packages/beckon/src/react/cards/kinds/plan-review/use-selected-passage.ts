import { type RefObject, useEffect, useState } from 'react';

/** A passage that is selected: its text, the line of its block, and where a button for it has room. */
export interface SelectedPassage {
  text: string;
  from: number;
  top: number;
  left: number;
}

/** What is selected inside the element, however it was: with a mouse, a finger or the keyboard. */
export function useSelectedPassage(area: RefObject<HTMLElement | null>): SelectedPassage | null {
  const [selected, setSelected] = useState<SelectedPassage | null>(null);
  useEffect(() => {
    const read = (): void => setSelected(area.current === null ? null : toPassage(area.current));
    document.addEventListener('selectionchange', read);
    return () => document.removeEventListener('selectionchange', read);
  }, [area]);
  return selected;
}

function toPassage(area: HTMLElement): SelectedPassage | null {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const text = selection.toString();
  if (text.trim() === '' || !area.contains(range.commonAncestorContainer)) return null;
  const start = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement;
  const from = Number(start?.closest('[data-line]')?.getAttribute('data-line'));
  if (!Number.isSafeInteger(from) || from < 1) return null;
  const around = area.getBoundingClientRect();
  const { bottom, left } = range.getBoundingClientRect();
  return {
    text,
    from,
    top: bottom - around.top + 6,
    left: Math.max(8, Math.min(left - around.left, around.width - 120)),
  };
}
