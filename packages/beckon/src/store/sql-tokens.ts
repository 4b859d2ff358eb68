import { toIso } from '../core/clock.ts';
import type { StoredTokens, TokenRecord } from '../core/store.ts';
import type { Role } from '../protocol/token.ts';
import type { Reader } from './driver.ts';
import { stopRulesForAgent, stopRulesOfGone } from './stop-rules.ts';
import { TOKENS, type TokenRow } from './tables.ts';
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
        await transaction.insert(TOKENS, [toRow(token)]);
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
    return this.#writer.submit({
      run: async (work) => {
        const [removed] = await work.transaction.all<{ role: string }>(
          'delete from tokens where name = $1 returning role',
          [name],
        );
        if (removed === undefined) return false;
        if (removed.role === 'agent') await stopRulesForAgent(work, name, at);
        else await stopRulesOfGone(work, [name], at);
        return true;
      },
    });
  }
}

function toRow({ id, name, role, chatId, answerOnly, hash, createdAt, owner }: TokenRecord): TokenRow {
  return {
    id,
    name,
    role,
    chat_id: chatId ?? null,
    hash,
    created_at: Date.parse(createdAt),
    answer_only: answerOnly === true ? 1 : 0,
    owner: owner ?? null,
  };
}

function fromRow(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role, // Written by `toRow`.
    ...(row.chat_id !== null && { chatId: row.chat_id }),
    ...(row.answer_only === 1 && { answerOnly: true }),
    hash: row.hash,
    createdAt: toIso(row.created_at),
    ...(row.owner !== null && { owner: row.owner }),
  };
}
