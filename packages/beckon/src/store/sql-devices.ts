import { toIso } from '../core/clock.ts';
import type { AnswerCodeRecord, DeviceRecord, LoginCodeRecord, StoredDevices } from '../core/stored-logins.ts';
import { DEVICE_SECONDS } from '../protocol/account.ts';
import type { Role } from '../protocol/token.ts';
import type { Reader } from './driver.ts';
import { addAnswerCode, keepCode, stillHolds } from './login-codes.ts';
import { removeDestinationsOfDevices, stopDestinationsOfGone } from './stop-destinations.ts';
import { stopRulesOfGone } from './stop-rules.ts';
import { DEVICES, type DeviceRow, type LoginCodeRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

/** The devices and the login codes in the store's tables. */
export class SqlDevices implements StoredDevices {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  addCode({ hash, name, role, chatId, answerOnly, expiresAt }: LoginCodeRecord, at: string): Promise<void> {
    return this.#writer.submit({
      run: ({ transaction }) =>
        keepCode(transaction, at, {
          hash,
          name,
          role,
          chat_id: chatId ?? null,
          expires_at: Date.parse(expiresAt),
          answer_only: answerOnly === true ? 1 : 0,
          interaction_id: null,
        }),
    });
  }

  addAnswerCode(code: AnswerCodeRecord, at: string): Promise<boolean> {
    return this.#writer.submit({ run: ({ transaction }) => addAnswerCode(transaction, code, at) });
  }

  logIn(input: {
    codeHash: string;
    id: string;
    hash: string;
    label: string;
    at: string;
  }): Promise<DeviceRecord | null> {
    const now = Date.parse(input.at);
    return this.#writer.submit({
      run: async (work) => {
        const { transaction } = work;
        const [code] = await transaction.all<LoginCodeRow>(
          'delete from login_codes where hash = $1 and expires_at > $2 returning *',
          [input.codeHash, now],
        );
        if (code === undefined || !(await stillHolds(transaction, code, now))) return null;
        const forgotten = await transaction.all<{ id: string; name: string }>(
          'delete from devices where last_seen_at < $1 returning id, name',
          [now - DEVICE_SECONDS * 1000],
        );
        const { id, hash, label } = input;
        const { name, role, chat_id, answer_only } = code;
        const row: DeviceRow = {
          id,
          name,
          role,
          chat_id,
          hash,
          label,
          created_at: now,
          last_seen_at: now,
          answer_only,
        };
        await transaction.insert(DEVICES, [row]);
        await leave(work, forgotten, input.at);
        return fromRow(row);
      },
    });
  }

  async find(id: string): Promise<DeviceRecord | null> {
    const [row] = await this.#reader.findIn(DEVICES, 'id', [id]);
    return row === undefined ? null : fromRow(row);
  }

  async list(): Promise<DeviceRecord[]> {
    const rows = await this.#reader.all<DeviceRow>('select * from devices order by last_seen_at desc, id');
    return rows.map(fromRow);
  }

  touch({ id, at }: { id: string; at: string }): Promise<void> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        // A process whose clock is behind must not set it back.
        await transaction.all('update devices set last_seen_at = $1 where id = $2 and last_seen_at < $1', [
          Date.parse(at),
          id,
        ]);
      },
    });
  }

  see({ id, until }: { id: string; until: string }): Promise<boolean> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        const seen = await transaction.all('update devices set in_sight_until = $1 where id = $2 returning id', [
          Date.parse(until),
          id,
        ]);
        return seen.length === 1;
      },
    });
  }

  remove(id: string, at: string): Promise<boolean> {
    return this.#writer.submit({
      run: async (work) => {
        const removed = await work.transaction.all<{ id: string; name: string }>(
          'delete from devices where id = $1 returning id, name',
          [id],
        );
        await leave(work, removed, at);
        return removed.length === 1;
      },
    });
  }
}

// What somebody did who can no longer come in ends with their last browser.
async function leave(work: UnitOfWork, devices: readonly { id: string; name: string }[], at: string): Promise<void> {
  const names = devices.map(({ name }) => name);
  await removeDestinationsOfDevices(
    work.transaction,
    devices.map(({ id }) => id),
  );
  await stopRulesOfGone(work, names, at);
  await stopDestinationsOfGone(work.transaction, names, at);
}

function fromRow(row: DeviceRow): DeviceRecord {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role, // Written by `addCode`.
    ...(row.chat_id !== null && { chatId: row.chat_id }),
    ...(row.answer_only === 1 && { answerOnly: true }),
    hash: row.hash,
    label: row.label,
    createdAt: toIso(row.created_at),
    lastSeenAt: toIso(row.last_seen_at),
  };
}
