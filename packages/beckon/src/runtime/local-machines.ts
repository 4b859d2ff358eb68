import { randomInt } from 'node:crypto';
import { type Caller, maySeeMachine } from '../core/access.ts';
import { type Clock, toIso } from '../core/clock.ts';
import { toMachineName } from '../core/machine-name.ts';
import type { MachineLogins, ShownMachineLogin } from '../core/machines.ts';
import type { Store } from '../core/store.ts';
import type { MachineDecision, MachineLoginRecord, TokenRecord } from '../core/stored-logins.ts';
import { BeckonError } from '../protocol/errors.ts';
import {
  MACHINE_LOGIN_SECONDS,
  type Machine,
  type MachineDecisionReply,
  type MachineLogin,
  type MachineLoginBody,
  type MachineLoginStarted,
  type MachineLoginStatus,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '../protocol/machine-login.ts';
import { DecisionWait } from './decision-wait.ts';
import { isSecretOf, newTokenId, toSecretHash, toTokenParts } from './token-text.ts';
import type { Tokens } from './tokens.ts';

/** Most machines that wait at once: of one address, and in all. */
const MOST_WAITING = { here: 10, inAll: 1000 };
/** A code or an id that is taken is as good as impossible; so often another one is tried. */
const MOST_TRIES = 5;

/** The machines of this Beckon, and the logins of those that want to come in. */
export class LocalMachines implements MachineLogins {
  readonly #store: Pick<Store, 'tokens' | 'machineLogins'>;
  readonly #tokens: Tokens;
  readonly #clock: Clock;
  readonly #waiting: DecisionWait;

  constructor(options: { store: Pick<Store, 'tokens' | 'machineLogins'>; tokens: Tokens; clock: Clock }) {
    this.#store = options.store;
    this.#tokens = options.tokens;
    this.#clock = options.clock;
    this.#waiting = new DecisionWait({
      findPending: (ids) => options.store.machineLogins.findPending(ids),
      clock: options.clock,
    });
  }

  async start(
    { hash, machine, user, agents }: MachineLoginBody,
    from: { address: string; addressGroup: string },
  ): Promise<Omit<MachineLoginStarted, 'verifyUrl'>> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const now = this.#clock.now();
      const login = await this.#store.machineLogins.start(
        {
          // Not from the machine: whoever has the id of a revoked token would see what that one asked.
          id: newTokenId(),
          code: newUserCode(),
          hash,
          machine,
          user,
          agents,
          ...from,
          createdAt: toIso(now),
          expiresAt: toIso(now + MACHINE_LOGIN_SECONDS * 1000),
        },
        MOST_WAITING,
      );
      if (login === 'taken') continue;
      if (typeof login === 'string') throw toTooMany(login);
      if (!this.#isOpen(login)) throw toEnded(login);
      return { id: login.id, userCode: login.code, expiresAt: login.expiresAt };
    }
    throw new BeckonError('internal', 'No free code was found for this machine. Try again.');
  }

  // Once the login is forgotten, the token tells.
  async read(text: string): Promise<MachineLoginStatus | null> {
    const parts = toTokenParts(text);
    if (parts === null) return null;
    const login = await this.#store.machineLogins.find(parts.id);
    // Without a login, the token is found by its own hash, so that a wrong secret takes as long.
    const token = login?.status === 'pending' ? null : await this.#store.tokens.find(parts.id);
    const known = login ?? token;
    if (known === null || !isSecretOf(parts.secret, Buffer.from(known.hash, 'hex'))) return null;
    if (login !== null && login.status !== 'approved') {
      const { status, expiresAt, decidedBy: by } = login;
      const isExpired = status === 'pending' && !this.#isOpen(login);
      return { status: isExpired ? 'expired' : status, expiresAt, ...(by !== undefined && { by }) };
    }
    if (token?.machine === undefined) return null;
    const { name, chatId, owner: by, createdAt } = token;
    return {
      status: 'approved',
      expiresAt: login?.expiresAt ?? createdAt,
      name,
      ...(chatId !== undefined && { chatId }),
      ...(by !== undefined && { by }),
    };
  }

  async wait(token: string, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<MachineLoginStatus | null> {
    const status = await this.read(token);
    const parts = toTokenParts(token);
    if (status?.status !== 'pending' || parts === null || ms <= 0) return status;
    await this.#waiting.wait(parts.id, Math.min(ms, Date.parse(status.expiresAt) - this.#clock.now()), signal);
    return this.read(token);
  }

  async leave(token: string): Promise<boolean> {
    const parts = toTokenParts(token);
    if (parts === null) return false;
    const { id, secret } = parts;
    const at = toIso(this.#clock.now());
    const hasLeft = await this.#store.machineLogins.leave({ id, hash: toSecretHash(secret), at });
    if (hasLeft) this.#forget(id);
    return hasLeft;
  }

  async find({ chatId }: Caller, code: string): Promise<Omit<MachineLogin, 'yourAddress'> | null> {
    const login = await this.#store.machineLogins.findByCode(code);
    if (login === null || !this.#isOpen(login)) return null;
    const { id, machine, user, agents, address, createdAt, expiresAt } = login;
    const wantedName = toMachineName(login);
    return {
      id,
      userCode: code,
      machine,
      user,
      agents: [...agents],
      address,
      startedAt: createdAt,
      expiresAt,
      name: await this.#store.machineLogins.findName(wantedName),
      wantedName,
      ...(chatId !== undefined && { chatId }),
    };
  }

  async approve({ name: by, chatId }: Caller, shown: ShownMachineLogin): Promise<MachineDecisionReply | null> {
    const { id, userCode: code, name } = shown;
    const at = toIso(this.#clock.now());
    const isDecided = this.#settle(id, await this.#store.machineLogins.approve({ id, code, name, by, chatId, at }));
    return isDecided ? { status: 'approved', name } : null;
  }

  async refuse({ name: by }: Caller, shown: Omit<ShownMachineLogin, 'name'>): Promise<MachineDecisionReply | null> {
    const { id, userCode: code } = shown;
    const at = toIso(this.#clock.now());
    const isDecided = this.#settle(id, await this.#store.machineLogins.refuse({ id, code, by, at }));
    return isDecided ? { status: 'refused' } : null;
  }

  async list(caller: Caller): Promise<Machine[]> {
    const machines = (await this.#store.tokens.list()).flatMap(toMachine);
    return machines
      .filter((machine) => maySeeMachine(caller, machine))
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  async revoke(caller: Caller, id: string): Promise<boolean> {
    const record = await this.#store.tokens.find(id);
    const [machine] = record === null ? [] : toMachine(record);
    if (machine === undefined || !maySeeMachine(caller, machine)) return false;
    return this.#tokens.revoke(id);
  }

  onRevoke(id: string, leave: () => void): () => void {
    return this.#tokens.onRevoke(id, leave);
  }

  #isOpen({ status, expiresAt }: MachineLoginRecord): boolean {
    return status === 'pending' && Date.parse(expiresAt) > this.#clock.now();
  }

  /** Whether a decision counts. Throws if it does not; `false`: there is no such login. */
  #settle(id: string, decision: MachineDecision): boolean {
    switch (decision.result) {
      case 'decided':
        this.#waiting.wake(id);
        return true;
      case 'repeated':
        return true;
      case 'ended':
        throw toEnded(decision.login);
      case 'changed':
        throw new BeckonError(
          'machine_login_changed',
          'The name that was shown has been taken meanwhile. Look at the machine again before you decide.',
        );
      case 'unknown':
        return false;
    }
  }

  #forget(id: string): void {
    this.#tokens.forget(id);
    this.#waiting.wake(id);
  }
}

function newUserCode(): string {
  const letters = Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)],
  );
  return `${letters.slice(0, USER_CODE_LENGTH / 2).join('')}-${letters.slice(USER_CODE_LENGTH / 2).join('')}`;
}

function toMachine({ id, name, owner, machine, chatId, createdAt, lastUsedAt }: TokenRecord): Machine[] {
  if (machine === undefined || owner === undefined) return [];
  return [
    {
      id,
      name,
      owner,
      machine,
      ...(chatId !== undefined && { chatId }),
      createdAt,
      ...(lastUsedAt !== undefined && { lastUsedAt }),
    },
  ];
}

function toTooMany(why: 'too_many_here' | 'too_many'): BeckonError {
  const where = why === 'too_many_here' ? ' from this address' : '';
  return new BeckonError(
    'too_many_requests',
    `Too many machines${where} wait to be let in. Approve or refuse them, or try again in ten minutes.`,
  );
}

function toEnded({ status, decidedBy }: MachineLoginRecord): BeckonError {
  const how = status === 'pending' ? 'It has expired' : `${decidedBy} has ${status} it already`;
  return new BeckonError(
    'machine_login_ended',
    `This login is over: ${how}. To try again, run "beckon login" on the machine.`,
  );
}
