import { keep, readKept } from '../state/kept.ts';
import { Store } from '../state/store.ts';

/** How this browser tells of what arrives. Everything is off until somebody turns it on. */
export interface Preferences {
  readonly hasNotifications: boolean;
  readonly hasSound: boolean;
}

const KEY = 'beckon.notify';
const OFF: Preferences = { hasNotifications: false, hasSound: false };

/** What is chosen, kept in this browser: another device of the same person may want it otherwise. */
export const preferences = new Store<Preferences>(read());

/** Chooses, and remembers it. */
export function setPreferences(next: Preferences): void {
  keep(KEY, JSON.stringify(next));
  preferences.set(next);
}

function read(): Preferences {
  try {
    const kept = JSON.parse(readKept(KEY) ?? 'null') as Partial<Preferences> | null;
    return { hasNotifications: kept?.hasNotifications === true, hasSound: kept?.hasSound === true };
  } catch {
    return OFF;
  }
}
