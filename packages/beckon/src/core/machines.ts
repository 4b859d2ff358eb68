import type {
  Machine,
  MachineDecisionReply,
  MachineLogin,
  MachineLoginBody,
  MachineLoginStarted,
  MachineLoginStatus,
} from '../protocol/machine-login.ts';
import type { Caller } from './access.ts';

/** What was in front of the person: the login, its code, and the name that its token would get. */
export type ShownMachineLogin = Pick<MachineLogin, 'id' | 'userCode' | 'name'>;

/** Letting machines in, as a person sees it. */
export interface Machines {
  /** The machine that waits with this code; `null`: none does. */
  find(code: string): Promise<MachineLogin | null>;
  /**
   * Lets in what was shown. Throws `machine_login_changed` if its name would be another by now, and
   * `machine_login_ended` if it has expired or somebody else has decided.
   */
  approve(shown: ShownMachineLogin): Promise<MachineDecisionReply>;
  refuse(shown: ShownMachineLogin): Promise<MachineDecisionReply>;
  list(): Promise<Machine[]>;
  /** Revokes a machine, at once. `false`: no such machine. */
  revoke(id: string): Promise<boolean>;
}

/** The way in, as a machine sees it. */
export interface MachineEntry {
  /** Asks to be let in. The same again finds the same login. */
  start(input: MachineLoginBody): Promise<MachineLoginStarted>;
  /** Waits until a person has decided or the time is over, however often the server is gone meanwhile. */
  wait(options: { signal: AbortSignal; onError: (error: unknown) => void }): Promise<MachineLoginStatus>;
  /** Withdraws the login, or revokes the token that came of it. `false`: the server knows neither. */
  leave(): Promise<boolean>;
}

/** The machines and their logins, as the server sees them. Tokens are those that machines made themselves. */
export interface MachineLogins {
  /** `addressGroup`: addresses that count as one. Throws `too_many_requests`. */
  start(
    input: MachineLoginBody,
    from: { address: string; addressGroup: string },
  ): Promise<Omit<MachineLoginStarted, 'verifyUrl'>>;
  /** What became of the login with this token; `null`: there is none. */
  read(token: string): Promise<MachineLoginStatus | null>;
  /** The same after waiting up to `ms` for a decision. A second wait for one login ends the first. */
  wait(token: string, options: { ms: number; signal: AbortSignal }): Promise<MachineLoginStatus | null>;
  /** Withdraws the login, or revokes the token that came of it. `false`: there is neither. */
  leave(token: string): Promise<boolean>;
  /** The login that waits with this code, as the caller sees it; `null`: none does. */
  find(caller: Caller, code: string): Promise<Omit<MachineLogin, 'yourAddress'> | null>;
  /** Throws as `Machines.approve` does. `null`: no such login. */
  approve(caller: Caller, shown: ShownMachineLogin): Promise<MachineDecisionReply | null>;
  refuse(caller: Caller, shown: Omit<ShownMachineLogin, 'name'>): Promise<MachineDecisionReply | null>;
  /** Those that the caller may see, the newest first. */
  list(caller: Caller): Promise<Machine[]>;
  /** `false`: none that the caller may see. */
  revoke(caller: Caller, id: string): Promise<boolean>;
  /** Calls `leave` when this process revokes the token, unless the returned function was called before. */
  onRevoke(id: string, leave: () => void): () => void;
}
