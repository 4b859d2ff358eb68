import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen, isTyping, takesArrows } from './focus.ts';
import { type Action, KeyReader } from './shortcuts.ts';

/** Runs the action of each key while the component is mounted. Actions without a handler leave the key alone. */
export function useShortcuts(handlers: Partial<Record<Action, () => void>>): void {
  const run = useEffectEvent((action: Action, event: KeyboardEvent) => {
    const handler = handlers[action];
    if (handler === undefined) return;
    event.preventDefault();
    handler();
  });
  useEffect(() => {
    const reader = new KeyReader();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isDialogOpen()) return;
      const isTaken = event.key.startsWith('Arrow') ? takesArrows(event.target) : isTyping(event.target);
      // The first Escape leaves the text field and keeps the text; the second is a shortcut.
      if (isTaken && event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
      const action = reader.read({
        key: event.key,
        at: event.timeStamp,
        hasModifier: event.ctrlKey || event.metaKey || event.altKey,
        isTyping: isTaken,
      });
      if (action !== null) run(action, event);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
