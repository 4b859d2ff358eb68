import { useKey } from '../../keyboard/use-key.ts';

/**
 * Calls back with the place, from 0, of a number key that is pressed while nobody types. A key that comes before the
 * form could be seen was meant for the previous request, and does nothing.
 */
export function useNumberKeys(count: number, onPick: (place: number) => void): void {
  useKey('1-9', (event) => {
    const place = Number(event.key) - 1;
    if (place >= count) return false;
    onPick(place);
    return true;
  });
}
