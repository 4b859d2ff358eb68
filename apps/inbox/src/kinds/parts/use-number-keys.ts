import { useEffect, useEffectEvent } from 'react';
import { consent } from '../../consent/use-consent.ts';
import { isDialogOpen, isTyping } from '../../keyboard/focus.ts';

/**
 * Calls back with the place, from 0, of a number key that is pressed while nobody types. A key that comes before the
 * form could be seen was meant for the previous request, and does nothing.
 */
export function useNumberKeys(count: number, onPick: (place: number) => void): void {
  const pick = useEffectEvent(onPick);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      const place = Number(event.key) - 1;
      if (!/^[1-9]$/.test(event.key) || place >= count) return;
      event.preventDefault();
      if (!event.repeat && consent.isSeen) pick(place);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [count]);
}
