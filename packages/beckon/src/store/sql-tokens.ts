import { toIso } from '../core/clock.ts';
import type { StoredTokens, TokenRecord } from '../core/stored-logins.ts';
import type { Role } from '../protocol/token.ts';
import type { Reader } from './driver.ts';
import { stopDestinationsOfGone } from './stop-destinations.ts';
import { stopRulesForAgent, stopRulesOfGone } from './stop-rules.ts';
import { TOKENS, type TokenRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

/** The tokens in the store's tables. */
export class SqlTokens implements StoredTokens {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  add(token: TokenRecord): Promise<boolean> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        const taken = await transaction.findIn(TOKENS, 'name', [token.name]);
        if (taken.length > 0) return false;
        await transaction.insert(TOKENS, [toTokenRow(token)]);
        return true;
      },
    });
  }

  async find(id: string): Promise<TokenRecord | null> {
    const [row] = await this.#reader.findIn(TOKENS, 'id', [id]);
    return row === undefined ? null : fromRow(row);
  }

  async list(): Promise<TokenRecord[]> {
    return (await this.#reader.all<TokenRow>('select * from tokens order by name')).map(fromRow);
  }

  remove(name: string, at: string): Promise<boolean> {
    return this.#writer.submit({ run: (work) => removeToken(work, 'name', name, at) });
  }

  removeById(id: string, at: string): Promise<boolean> {
    return this.#writer.submit({ run: (work) => removeToken(work, 'id', id, at) });
  }

  touch({ id, at }: { id: string; at: string }): Promise<void> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        // A process whose clock is behind must not set it back.
        await transaction.all(
          'update tokens set last_used_at = $1 where id = $2 and (last_used_at is null or last_used_at < $1)',
          [Date.parse(at), id],
        );
      },
    });
  }
}

/** Removes a token, and whatever depends on it being there. `false`: there is none. */
export async function removeToken(work: UnitOfWork, by: 'id' | 'name', value: string, at: string): Promise<boolean> {
  const [removed] = await work.transaction.all<Pick<TokenRow, 'id' | 'name' | 'role'>>(
    `delete from tokens where ${by} = $1 returning id, name, role`,
    [value],
  );
  if (removed === undefined) return false;
  // The login that it came of would still say that the machine is in.
  await work.transaction.all('delete from machine_logins where id = $1', [removed.id]);
  if (removed.role === 'agent') await stopRulesForAgent(work, removed.name, at);
  else {
    await stopRulesOfGone(work, [removed.name], at);
    await stopDestinationsOfGone(work.transaction, [removed.name], at);
  }
  return true;
}

/** A token as its row. */
export function toTokenRow(token: TokenRecord): TokenRow {
  const { id, name, role, chatId, answerOnly, hash, createdAt, owner, machine, lastUsedAt } = token;
  return {
    id,
    name,
    role,
    chat_id: chatId ?? null,
    hash,
    created_at: Date.parse(createdAt),
    answer_only: answerOnly === true ? 1 : 0,
    owner: owner ?? null,
    machine: machine ?? null,
    last_used_at: lastUsedAt === undefined ? null : Date.parse(lastUsedAt),
  };
}

function fromRow(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role, // Written by `toTokenRow`.
    ...(row.chat_id !== null && { chatId: row.chat_id }),
    ...(row.answer_only === 1 && { answerOnly: true }),
    hash: row.hash,
    createdAt: toIso(row.created_at),
    ...(row.owner !== null && { owner: row.owner }),
    ...(row.machine !== null && { machine: row.machine }),
    ...(row.last_used_at !== null && { lastUsedAt: toIso(row.last_used_at) }),
  };
}
