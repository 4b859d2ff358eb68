import type { Device, LoginLink, Me } from '../protocol/account.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Caller, DeviceCaller } from './access.ts';
import type { DeviceRecord } from './stored-logins.ts';

/** The login of a browser, as the browser sees it. */
export interface Account {
  /** `null`: nobody is logged in. */
  me(): Promise<Me | null>;
  /** Uses up the code of a login link; the reply sets the cookie. Throws `unauthorized` for an invalid code. */
  logIn(code: string): Promise<Me>;
  logOut(): Promise<void>;
  devices(): Promise<Device[]>;
  /** Logs a device out. `false`: no such device. */
  revokeDevice(id: string): Promise<boolean>;
  /** Makes a link that logs one browser in, once: as the caller, or as somebody else. Admins only. */
  createLink(input?: {
    who?: string | undefined;
    role?: 'person' | 'admin' | undefined;
    chatId?: string | undefined;
    answerOnly?: boolean | undefined;
  }): Promise<LoginLink>;
  /**
   * Makes a link that logs one more browser in as this one, once, with the same rights. Only for a logged-in browser;
   * the link ends with its login.
   */
  createOwnLink(): Promise<LoginLink>;
}

/** Whom a code lets in to answer, and which request. `chatId` is the chat that they are limited to. */
export interface AnswerCodeInput {
  name: string;
  chatId?: string | undefined;
  interaction: Pick<Interaction, 'id' | 'expiresAt'>;
}

/** The logins of browsers, as the server sees them. */
export interface Logins {
  /** Creates a code that logs one browser in, once, in the name of `caller`. */
  createCode(caller: Caller): Promise<{ code: string; expiresAt: string }>;
  /**
   * Creates a code that logs one more browser in, once, with the rights of the one that asks. It no longer works once
   * that one is logged out.
   */
  createOwnCode(caller: DeviceCaller): Promise<{ code: string; expiresAt: string }>;
  /**
   * Creates a code that logs one browser in, once, while a request waits, for a day at most. It gives its person no
   * more than they have, and never the rights of an admin. `null`: they cannot come in, or the request has ended.
   */
  createAnswerCode(input: AnswerCodeInput): Promise<string | null>;
  /** Uses up a code. `cookie` identifies the browser from then on; `null`: the code is not valid. */
  logIn(code: string, label: string): Promise<{ cookie: string; caller: DeviceCaller } | null>;
  /** The caller that this cookie identifies; `null`: it is not valid. */
  check(cookie: string): Promise<DeviceCaller | null>;
  /** Every device, the one seen last first. */
  list(): Promise<DeviceRecord[]>;
  /** Logs a device out. `false`: no such device. */
  revoke(id: string): Promise<boolean>;
  /** Calls `leave` when this process logs the device out, unless the returned function was called before. */
  onRevoke(id: string, leave: () => void): () => void;
}
