import type { Device, LoginLink, Me } from '../protocol/account.ts';
import type { Caller, DeviceCaller } from './access.ts';
import type { DeviceRecord } from './store.ts';

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
  /** Makes a link that logs one browser in, once: as the caller, or as somebody else. For an admin alone. */
  createLink(input?: {
    who?: string | undefined;
    role?: 'person' | 'admin' | undefined;
    chatId?: string | undefined;
    answerOnly?: boolean | undefined;
  }): Promise<LoginLink>;
}

/** The server's side of it: lets browsers in, knows them again, and shows them out. */
export interface Logins {
  /** Creates a code that logs one browser in, once, in the name of `caller`. */
  createCode(caller: Caller): Promise<{ code: string; expiresAt: string }>;
  /** Uses up a code. `cookie` is what the browser shows from then on; `null`: the code is not valid (any more). */
  logIn(code: string, label: string): Promise<{ cookie: string; caller: DeviceCaller } | null>;
  /** Who comes in with this cookie; `null`: it is not valid (any more). */
  check(cookie: string): Promise<DeviceCaller | null>;
  /** Every device, the one that was seen last first. */
  list(): Promise<DeviceRecord[]>;
  /** Logs a device out. `false`: there is none. */
  revoke(id: string): Promise<boolean>;
  /** Calls `leave` when the device is logged out in this process, unless the returned function is called before. */
  onRevoke(id: string, leave: () => void): () => void;
}
