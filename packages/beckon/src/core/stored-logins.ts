import type { Caller } from './access.ts';

/** A token as the store keeps it. `hash` is that of its secret; the secret itself is kept nowhere. */
export interface TokenRecord extends Caller {
  id: string;
  hash: string;
  createdAt: string;
  /** The name of the person whose agent comes in with it. */
  owner?: string;
  /** What the machine calls itself that a person let in with it. Absent for a token that somebody created. */
  machine?: string;
  /** Exact to a minute. Absent if nobody came in with it. */
  lastUsedAt?: string;
}

/** The tokens that let agents and people in. */
export interface StoredTokens {
  /** Keeps a token. `false`: the name is taken. */
  add(token: TokenRecord): Promise<boolean>;
  find(id: string): Promise<TokenRecord | null>;
  /** In the order of their names. */
  list(): Promise<TokenRecord[]>;
  /**
   * Removes the token of this name, and stops the rules of somebody who can no longer come in. `false`: there is none.
   */
  remove(name: string, at: string): Promise<boolean>;
  /** The same by its id, which no other token ever has. */
  removeById(id: string, at: string): Promise<boolean>;
  /** Notes that somebody came in with a token. */
  touch(input: { id: string; at: string }): Promise<void>;
}

/** A browser that a login link let in, as the store keeps it. `hash` is that of the secret in its cookie. */
export interface DeviceRecord extends Caller {
  id: string;
  hash: string;
  /** What the browser said of itself. */
  label: string;
  createdAt: string;
  lastSeenAt: string;
}

/** A code that lets one browser in, once, until it expires. The code itself is kept nowhere. */
export interface LoginCodeRecord extends Caller {
  hash: string;
  expiresAt: string;
}

/** A code for somebody who is to answer a request. It gives them no more than they have, and no more than a person. */
export interface AnswerCodeRecord {
  hash: string;
  name: string;
  /** The chat that they are limited to. */
  chatId?: string | undefined;
  interactionId: string;
  expiresAt: string;
}

/** The browsers that are logged in, and the codes that let them in. */
export interface StoredDevices {
  /** Keeps a code, and forgets those that had expired at `at`. */
  addCode(code: LoginCodeRecord, at: string): Promise<void>;
  /**
   * Keeps a code that works only while a request waits, and while its person can come in by themselves. `false`: they
   * cannot, or the request has ended, so there is no code.
   */
  addAnswerCode(code: AnswerCodeRecord, at: string): Promise<boolean>;
  /**
   * Uses up a code and keeps the device in its name, in one step; forgets those not seen for too long, and stops the
   * rules of somebody who can no longer come in. `null`: the code is unknown, used or expired, or what it was made for
   * no longer holds.
   */
  logIn(input: { codeHash: string; id: string; hash: string; label: string; at: string }): Promise<DeviceRecord | null>;
  find(id: string): Promise<DeviceRecord | null>;
  /** The one that was seen last first. */
  list(): Promise<DeviceRecord[]>;
  /** Notes that a device was there. */
  touch(input: { id: string; at: string }): Promise<void>;
  /** Notes until when its page is in sight; `false`: there is no such device. */
  see(input: { id: string; until: string }): Promise<boolean>;
  /** Logs a device out, and stops the rules of somebody who can no longer come in. `false`: there is none. */
  remove(id: string, at: string): Promise<boolean>;
}

/** A machine that wants to come in, as the store keeps it. `hash` is that of the secret which the machine made. */
export interface MachineLoginRecord {
  /** The id that its token will have. */
  id: string;
  hash: string;
  /** What a person finds it by. */
  code: string;
  machine: string;
  user: string;
  agents: readonly string[];
  address: string;
  createdAt: string;
  expiresAt: string;
  status: 'pending' | 'approved' | 'refused';
  decidedBy?: string;
}

/** A login to keep. Those of one `addressGroup` count together. */
export type NewMachineLogin = Omit<MachineLoginRecord, 'status' | 'decidedBy'> & { addressGroup: string };

/** What came of a decision. `ended`: expired, or decided otherwise. `changed`: the token would get another name. */
export type MachineDecision =
  | { result: 'decided' | 'repeated' | 'ended'; login: MachineLoginRecord }
  | { result: 'changed' | 'unknown' };

/**
 * The machines that wait for a person to let them in. What they say never changes. Each is decided once, however many
 * try; afterwards it is kept for a while, so that the machine and the others learn what was decided.
 */
export interface StoredMachineLogins {
  /**
   * Keeps a login, or finds the one with the same hash, and forgets those that have been over for long. `taken`: the
   * id or the code is in use. `too_many_here`, `too_many`: more would wait, from its addresses or in all, than `most`
   * says.
   */
  start(
    login: NewMachineLogin,
    most: { here: number; inAll: number },
  ): Promise<MachineLoginRecord | 'taken' | 'too_many_here' | 'too_many'>;
  find(id: string): Promise<MachineLoginRecord | null>;
  /** Those of the ids that are still undecided. */
  findPending(ids: readonly string[]): Promise<Set<string>>;
  findByCode(code: string): Promise<MachineLoginRecord | null>;
  /** The name that a token would get: the wanted one, or with a number behind it if anybody has it. */
  findName(wanted: string): Promise<string>;
  /**
   * Lets a machine in: keeps its token in the same commit, as an agent of `by`. `name` is what the person was shown;
   * if the token would get another, nothing is changed.
   */
  approve(input: {
    id: string;
    code: string;
    name: string;
    by: string;
    chatId?: string | undefined;
    at: string;
  }): Promise<MachineDecision>;
  refuse(input: { id: string; code: string; by: string; at: string }): Promise<MachineDecision>;
  /** Withdraws the login with this secret, and removes the token of a machine with it. `false`: there is neither. */
  leave(input: { id: string; hash: string; at: string }): Promise<boolean>;
}
