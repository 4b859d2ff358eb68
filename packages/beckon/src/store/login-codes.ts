import type { AnswerCodeRecord } from '../core/stored-logins.ts';
import { toColumnText } from './column-text.ts';
import type { Reader, Transaction } from './driver.ts';
import { LOGIN_CODES, type LoginCodeRow } from './tables.ts';

/** Keeps a code for answering a request, with what its person may do. `false`: they cannot come in, or it has ended. */
export async function addAnswerCode(transaction: Transaction, code: AnswerCodeRecord, at: string): Promise<boolean> {
  const { hash, name, chatId = null, interactionId, expiresAt } = code;
  const rights = await findRights(transaction, name, chatId);
  if (rights === null || !(await isWaiting(transaction, interactionId, Date.parse(at)))) return false;
  await keepCode(transaction, at, {
    hash,
    name,
    role: 'person',
    chat_id: chatId,
    expires_at: Date.parse(expiresAt),
    answer_only: rights.answer_only,
    interaction_id: interactionId,
  });
  return true;
}

/** Keeps a code, and forgets those that have expired. */
export async function keepCode(transaction: Transaction, at: string, row: LoginCodeRow): Promise<void> {
  await transaction.all('delete from login_codes where expires_at <= $1', [Date.parse(at)]);
  await transaction.insert(LOGIN_CODES, [row]);
}

/** Whether a code for answering a request may still be used: its person may have been locked out meanwhile. */
export async function stillHolds(reader: Reader, code: LoginCodeRow, now: number): Promise<boolean> {
  const { name, chat_id, answer_only, interaction_id } = code;
  if (interaction_id === null) return true;
  const rights = await findRights(reader, name, chat_id);
  return rights !== null && rights.answer_only <= answer_only && (await isWaiting(reader, interaction_id, now));
}

/** What somebody may do at most, within a chat if one is given. `null`: they cannot come in. */
async function findRights(
  reader: Reader,
  name: string,
  chatId: string | null,
): Promise<Pick<LoginCodeRow, 'answer_only'> | null> {
  const [rights] = await reader.all<Pick<LoginCodeRow, 'answer_only'>>(
    `select answer_only from tokens where name = $1 and role <> 'agent' and (chat_id is null or chat_id = $2)
     union all select answer_only from devices where name = $1 and (chat_id is null or chat_id = $2)
     order by answer_only limit 1`,
    [toColumnText(name), chatId],
  );
  return rights ?? null;
}

async function isWaiting(reader: Reader, interactionId: string, now: number): Promise<boolean> {
  const found = await reader.all(
    `select 1 from interactions where id = $1 and status = 'pending' and (expires_at is null or expires_at > $2)`,
    [interactionId, now],
  );
  return found.length > 0;
}
