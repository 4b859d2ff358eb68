import { toIso } from '../core/clock.ts';
import { toFreeName, toMachineName } from '../core/machine-name.ts';
import type {
  MachineDecision,
  MachineLoginRecord,
  NewMachineLogin,
  StoredMachineLogins,
} from '../core/stored-logins.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Reader } from './driver.ts';
import { removeToken, toTokenRow } from './sql-tokens.ts';
import { canComeIn } from './stop-rules.ts';
import { MACHINE_LOGINS, type MachineLoginRow, TOKENS } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

/** How long a login is kept after it could have been decided: its machine may be out of reach for a while. */
const KEEP_MS = 3_600_000;

/** The logins of machines in the store's tables. */
export class SqlMachineLogins implements StoredMachineLogins {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  start(
    login: NewMachineLogin,
    most: { here: number; inAll: number },
  ): Promise<MachineLoginRecord | 'taken' | 'too_many_here' | 'too_many'> {
    const now = Date.parse(login.createdAt);
    return this.#writer.submit({
      run: async ({ transaction }) => {
        await transaction.all('delete from machine_logins where expires_at <= $1', [now - KEEP_MS]);
        const [same] = await transaction.findIn(MACHINE_LOGINS, 'hash', [login.hash]);
        if (same !== undefined) return fromRow(same);
        const taken = await transaction.all(
          'select 1 from machine_logins where id = $1 or code = $2 union all select 1 from tokens where id = $1',
          [login.id, login.code],
        );
        if (taken.length > 0) return 'taken';
        const [count] = await transaction.all<{ here: number | null; in_all: number }>(
          `select sum(case when address_group = $1 then 1 else 0 end) as here, count(*) as in_all
           from machine_logins where status = 'pending' and expires_at > $2`,
          [login.addressGroup, now],
        );
        if (Number(count?.here ?? 0) >= most.here) return 'too_many_here';
        if (Number(count?.in_all ?? 0) >= most.inAll) return 'too_many';
        const row = toRow(login);
        await transaction.insert(MACHINE_LOGINS, [row]);
        return fromRow(row);
      },
    });
  }

  find(id: string): Promise<MachineLoginRecord | null> {
    return this.#findBy('id', id);
  }

  async findPending(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.#reader.findIn(MACHINE_LOGINS, 'id', ids);
    return new Set(rows.filter(({ status }) => status === 'pending').map(({ id }) => id));
  }

  findByCode(code: string): Promise<MachineLoginRecord | null> {
    return this.#findBy('code', code);
  }

  findName(wanted: string): Promise<string> {
    return findName(this.#reader, wanted);
  }

  approve(input: Parameters<StoredMachineLogins['approve']>[0]): Promise<MachineDecision> {
    const { name, by, chatId, at } = input;
    return this.#decide(input, 'approved', async ({ transaction }, login) => {
      // Between the check of their right and this commit, the person may have been logged out.
      if (!(await canComeIn(transaction, by))) {
        throw new BeckonError('unauthorized', `${JSON.stringify(by)} can no longer log in, so no machine was let in.`);
      }
      if ((await findName(transaction, toMachineName(login))) !== name) return false;
      const { id, hash, machine } = login;
      const token = { id, name, role: 'agent', hash, owner: by, machine, createdAt: at } as const;
      await transaction.insert(TOKENS, [toTokenRow({ ...token, ...(chatId !== undefined && { chatId }) })]);
      return true;
    });
  }

  refuse(input: { id: string; code: string; by: string; at: string }): Promise<MachineDecision> {
    return this.#decide(input, 'refused', async () => true);
  }

  leave({ id, hash, at }: { id: string; hash: string; at: string }): Promise<boolean> {
    return this.#writer.submit({
      run: async (work) => {
        const { transaction } = work;
        const withdrawn = await transaction.all('delete from machine_logins where id = $1 and hash = $2 returning id', [
          id,
          hash,
        ]);
        const tokens = await transaction.all(
          'select 1 from tokens where id = $1 and hash = $2 and machine is not null',
          [id, hash],
        );
        if (tokens.length > 0) await removeToken(work, 'id', id, at);
        return withdrawn.length + tokens.length > 0;
      },
    });
  }

  /** Decides a login once. `prepare` does what belongs to the decision; `false`: it is not what was shown. */
  #decide(
    { id, code, by, at }: { id: string; code: string; by: string; at: string },
    status: 'approved' | 'refused',
    prepare: (work: UnitOfWork, login: MachineLoginRecord) => Promise<boolean>,
  ): Promise<MachineDecision> {
    return this.#writer.submit({
      run: async (work) => {
        const [row] = await work.transaction.findIn(MACHINE_LOGINS, 'id', [id]);
        if (row === undefined || row.code !== code) return { result: 'unknown' };
        const login = fromRow(row);
        if (row.status !== 'pending') {
          return { result: row.status === status && row.decided_by === by ? 'repeated' : 'ended', login };
        }
        if (row.expires_at <= Date.parse(at)) return { result: 'ended', login };
        if (!(await prepare(work, login))) return { result: 'changed' };
        await work.transaction.all('update machine_logins set status = $1, decided_by = $2 where id = $3', [
          status,
          by,
          id,
        ]);
        return { result: 'decided', login: { ...login, status, decidedBy: by } };
      },
    });
  }

  async #findBy(column: 'id' | 'code', value: string): Promise<MachineLoginRecord | null> {
    const [row] = await this.#reader.findIn(MACHINE_LOGINS, column, [value]);
    return row === undefined ? null : fromRow(row);
  }
}

// A machine must not be called what a person is called either: others would take one for the other.
async function findName(reader: Reader, wanted: string): Promise<string> {
  const rows = await reader.all<{ name: string }>(
    'select name from tokens union select name from devices union select name from login_codes',
  );
  return toFreeName(wanted, new Set(rows.map(({ name }) => name.toLowerCase())));
}

function toRow(login: NewMachineLogin): MachineLoginRow {
  return {
    id: login.id,
    hash: login.hash,
    code: login.code,
    machine: login.machine,
    user_name: login.user,
    agents: JSON.stringify(login.agents),
    address: login.address,
    address_group: login.addressGroup,
    created_at: Date.parse(login.createdAt),
    expires_at: Date.parse(login.expiresAt),
    status: 'pending',
    decided_by: null,
  };
}

function fromRow(row: MachineLoginRow): MachineLoginRecord {
  return {
    id: row.id,
    hash: row.hash,
    code: row.code,
    machine: row.machine,
    user: row.user_name,
    agents: JSON.parse(row.agents) as string[], // Written by `toRow`.
    address: row.address,
    createdAt: toIso(row.created_at),
    expiresAt: toIso(row.expires_at),
    status: row.status as MachineLoginRecord['status'], // Written by `toRow` and `#decide`.
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
  };
}
