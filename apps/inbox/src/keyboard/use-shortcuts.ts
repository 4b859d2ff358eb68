import { useEffect, useEffectEvent } from 'react';
import { type Action, KeyReader } from './shortcuts.ts';

/** Where letters and arrows belong to the element that has the focus. */
const TYPING = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';
const ARROWED = `${TYPING}, [role="radio"], [role="tab"], [role="slider"], [role="menuitem"], [role="option"], [role="listbox"]`;

/** Runs what a key means, while the component is there. A handler that does not want a key leaves it out. */
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
      // An open dialog has the keyboard for itself, and what an element has handled is done.
      if (event.defaultPrevented || document.querySelector('[role="dialog"]') !== null) return;
      const isTyping = isOwnKey(event);
      // Escape leaves the text first; what was typed stays, and a second one goes on.
      if (isTyping && event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
      const action = reader.read({
        key: event.key,
        at: event.timeStamp,
        hasModifier: event.ctrlKey || event.metaKey || event.altKey,
        isTyping,
      });
      if (action !== null) run(action, event);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function isOwnKey(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (target === null) return false;
  if (event.key.startsWith('Arrow')) return target.closest(ARROWED) !== null || isScrolling(target);
  return target.closest(TYPING) !== null && !isToggle(target);
}

// Arrows scroll what is open for reading; in the list, and where nothing has the focus, they move through the list.
function isScrolling(target: Element): boolean {
  return target !== document.body && target.closest('[data-shortcut-list]') === null;
}

function isToggle(target: Element): boolean {
  return target instanceof HTMLInputElement && ['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}
