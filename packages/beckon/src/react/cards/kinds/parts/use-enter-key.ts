import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen } from '../../keyboard/focus.ts';
import { keyboard } from '../../keyboard/keyboard.ts';

/** Elements that use Enter themselves. */
const OPERABLE = 'a, button, input, textarea, select, summary, [role="button"], [contenteditable]';

/**
 * Calls back when Enter is pressed where it would do nothing. The key may have been meant for what was open before, so
 * a callback that sends must ask the consent guard; a held key calls back once. Does nothing on a page that keeps its
 * keyboard for itself.
 */
export function useEnterKey(onEnter: () => void): void {
  const enter = useEffectEvent(onEnter);
  useEffect(() => {
    if (!keyboard.isStarted) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || event.target.closest(OPERABLE) !== null) return;
      if (isDialogOpen()) return;
      // The callback may move the focus, and the key must not reach the new place.
      event.preventDefault();
      if (!event.repeat) enter();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
