import { useEffect, useEffectEvent } from 'react';
import { useStore } from '../state/store.ts';
import { type KeyHandler, keyboard } from './keyboard.ts';
import type { KeyName } from './keys.ts';

/**
 * Handles a key while the component is mounted and `isOn`. `keys.ts` lists the names; the help shows that list, so a
 * new key needs an entry there.
 *
 * ```tsx
 * useKey('y', allow, { isOn: !isSending });
 * useKey('1-9', (event) => pick(Number(event.key) - 1));
 * ```
 *
 * - A handler that decides calls what its button's `onClick` calls: the consent guard judges the key press like a
 *   press on the button, and the page says why a press was refused. Never check `consent` before that.
 * - Keys that only prepare an answer (edit, remember, choose …) do nothing until the request could be seen.
 * - A held key acts once. Keys belong to text fields while those have the focus. While a dialog is open, only handlers
 *   with `isInDialog` are called.
 * - If several components handle a key, the one that registered last gets it, or one with `isFirst`; returning `false`
 *   passes it on.
 * - Show the key on its button with `<KeyHint name="y" />`, and set `aria-keyshortcuts`.
 */
export function useKey(
  name: KeyName,
  handler: KeyHandler,
  {
    isOn = true,
    isInDialog = false,
    isFirst = false,
  }: { isOn?: boolean; isInDialog?: boolean; isFirst?: boolean } = {},
): void {
  const handle = useEffectEvent(handler);
  useEffect(
    () => (isOn ? keyboard.add(name, { handle: (event) => handle(event), isInDialog, isFirst }) : undefined),
    [name, isOn, isInDialog, isFirst],
  );
}

/** Whether the person lets single keys act. */
export function useKeysOn(): boolean {
  return useStore(keyboard.isOn);
}
