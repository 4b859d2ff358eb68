import { type KeyName, toKey } from '../keyboard/keys.ts';
import { useKeysOn } from '../keyboard/use-key.ts';

/**
 * The key that does the same as the button around it. Fingers need no hint, and screen readers hear of it from
 * `aria-keyshortcuts`.
 */
export function KeyHint({ name }: { name: KeyName }) {
  if (!useKeysOn()) return null;
  return (
    <kbd aria-hidden="true" className="font-mono text-xs font-normal opacity-70 max-lg:hidden pointer-coarse:hidden">
      {toKey(name).presses[0]}
    </kbd>
  );
}
