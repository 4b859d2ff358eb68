import type { Device, Me } from '../protocol/account.ts';

/** Being logged in, as a browser sees it. */
export interface Account {
  /** `null`: nobody is logged in. */
  me(): Promise<Me | null>;
  /** Uses up the code of a login link; the cookie is set by the reply. Throws `unauthorized` for a code that is not valid. */
  logIn(code: string): Promise<Me>;
  logOut(): Promise<void>;
  devices(): Promise<Device[]>;
  /** Logs a device out. `false`: there is no such device. */
  revokeDevice(id: string): Promise<boolean>;
}
