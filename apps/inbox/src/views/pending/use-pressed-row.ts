import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import { toInteractionPath } from '../../interactions/links.ts';

/** A pointer that moved further than this was dragged, and opens nothing. */
const DRAG_PX = 24;

/**
 * Opens the row that was under the pointer when the press began, even if the list has moved. Browsers would click the
 * row at the end, or nothing.
 */
export function usePressedRow(): {
  onPointerDownCapture: (event: PointerEvent) => void;
  onClickCapture: (event: MouseEvent) => void;
} {
  const [, navigate] = useLocation();
  const pressed = useRef<{ id: string; x: number; y: number } | null>(null);
  return {
    onPointerDownCapture: ({ target, clientX, clientY, button }) => {
      const id = button === 0 ? findRow(target) : null;
      pressed.current = id === null ? null : { id, x: clientX, y: clientY };
    },
    onClickCapture: (event) => {
      const from = pressed.current;
      pressed.current = null;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (from === null || !isPlain || event.detail === 0 || findRow(event.target) === from.id) return;
      event.preventDefault();
      event.stopPropagation();
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAG_PX) return;
      navigate(toInteractionPath(from.id), { state: { focus: true } });
    },
  };
}

function findRow(target: EventTarget): string | null {
  return target instanceof Element ? (target.closest('[data-id]')?.getAttribute('data-id') ?? null) : null;
}
