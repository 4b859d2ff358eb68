import { useEffect, useEffectEvent } from 'react';
import { consent } from '../../consent/use-consent.ts';

/**
 * Calls back with the place, from 0, when a number key is pressed and nobody is typing a text or has a dialog open. A key that comes
 * before the form could be seen was meant for what was open before, and does nothing.
 */
export function useNumberKeys(count: number, onPick: (place: number) => void): void {
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null) return;
      const place = Number(event.key) - 1;
      if (!/^[1-9]$/.test(event.key) || place >= count) return;
      event.preventDefault();
      if (!event.repeat && consent.isSeen) pick(place);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [count]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}
