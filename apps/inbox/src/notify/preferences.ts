import { keep, readKept, Store } from 'beckon/react/parts';

/** How this browser reports new requests. Everything is off by default. */
export interface Preferences {
  readonly hasNotifications: boolean;
  readonly hasSound: boolean;
}

const KEY = 'beckon.notify';
const OFF: Preferences = { hasNotifications: false, hasSound: false };

/** The choices for this browser. Each device has its own. */
export const preferences = new Store<Preferences>(read());

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
