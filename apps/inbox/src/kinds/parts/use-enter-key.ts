import { useEffect, useEffectEvent } from 'react';

/** Where Enter has a meaning of its own. */
const OPERABLE = 'a, button, input, textarea, select, summary, [role="button"], [contenteditable]';

/**
 * Calls back when Enter is pressed where it would do nothing, and no dialog is open. What is called should send nothing: the key may have
 * been meant for what was open before.
 */
export function useEnterKey(onEnter: () => void): void {
  const enter = useEffectEvent(onEnter);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || event.target.closest(OPERABLE) !== null) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      // The focus may move now, and the key must not reach what gets it.
      event.preventDefault();
      enter();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
