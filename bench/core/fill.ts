import { setImmediate as nextTurn } from 'node:timers/promises';
import { toIso } from '../../packages/beckon/src/core/clock.ts';
import type { InteractionOf } from '../../packages/beckon/src/protocol/interaction.ts';
import { policy } from '../../packages/beckon/src/rules/policy.ts';
import { checkForm } from '../../packages/beckon/src/runtime/form-schema.ts';
import { toInteractionRow, toLogRow } from '../../packages/beckon/src/store/rows.ts';
import { openSqlStore } from '../../packages/beckon/src/store/sql-store.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { INTERACTIONS, LOG } from '../../packages/beckon/src/store/tables.ts';
import { toPending, toRequestedEvent } from './workload.ts';

/** Every tenth interaction is in this chat, this session and this project. */
export const HUGE_CHAT = 'chat_huge';
export const HUGE_SESSION = 'session_huge';
export const HUGE_PROJECT = 'project_huge';
/** A chat and a project of about 20, and a session of about 10. */
export const SMALL_CHAT = 'chat_1';
export const SMALL_SESSION = 'session_1';
export const SMALL_PROJECT = 'project_1';
/** So many interactions, the oldest ones, are approvals. All others are questions. */
const APPROVALS = 20;

const BATCH = 5000;
const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;

/**
 * Creates a store with `count` pending interactions and their log: one huge chat, many small ones and many sessions,
 * none in the order of creation. The deadlines are spread over a month and begin in an hour, so that nothing falls due
 * during a run.
 */
export async function fillStore(path: string, count: number): Promise<void> {
  const driver = openSqliteDriver(path);
  const store = await openSqlStore(driver, { checkForm, policy });
  const now = Date.now();
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    const batch = Array.from({ length }, (_, offset) => {
      const seq = start + offset + 1;
      return { seq, interaction: toSpread(seq, { count, now }) };
    });
    await driver.write(async (transaction) => {
      await transaction.insert(
        INTERACTIONS,
        batch.map(({ seq, interaction }) => ({
          ...toInteractionRow(interaction, seq),
          ...(seq <= APPROVALS && { kind: 'approval', body: JSON.stringify({ request: { tool: 'Bash', input: {} } }) }),
        })),
      );
      await transaction.insert(
        LOG,
        batch.map(({ seq, interaction }) => toLogRow(toRequestedEvent(interaction, seq))),
      );
      await transaction.insert(
        FACTS,
        batch.map(({ seq, interaction }) => toFacts(seq, interaction)),
      );
      await transaction.all('update log_head set seq = $1', [start + length]);
      await transaction.all('update history_head set seq = $1', [start + length]);
    });
    // Without a pause, nobody would hear a Ctrl-C.
    await nextTurn();
  }
  await store.close();
}

/** What the history index has about an interaction; the projects are as large as the chats. */
const FACTS = {
  name: 'interaction_facts',
  columns: {
    interaction_seq: 'bigint',
    chat_id: 'text',
    kind: 'text',
    decision: 'text',
    person: 'text',
    project: 'text',
    created_at: 'bigint',
  },
} as const;

function toFacts(seq: number, { chatId, kind, createdAt }: InteractionOf<'question'>) {
  return {
    interaction_seq: seq,
    chat_id: chatId,
    kind,
    decision: 'pending',
    person: null,
    project: chatId.replace('chat', 'project'),
    created_at: Date.parse(createdAt),
  };
}

/** The id of the interaction with this number, from 1 to the count. */
export function toFilledId(seq: number): string {
  return `int_01800000-0000-7000-8000-${String(seq).padStart(12, '0')}`;
}

function toSpread(seq: number, { count, now }: { count: number; now: number }): InteractionOf<'question'> {
  const isHuge = seq % 10 === 0;
  // Multiplied by a prime, neighbors land far apart.
  const chat = (seq * 7919) % Math.max(1, Math.floor(count / 20));
  const session = (seq * 104_729) % Math.max(1, Math.floor(count / 10));
  const wait = HOUR_MS + (((seq * 15_485_863) % count) / count) * MONTH_MS;
  return toPending({
    id: toFilledId(seq),
    chatId: isHuge ? HUGE_CHAT : `chat_${chat}`,
    sessionId: isHuge ? HUGE_SESSION : `session_${session}`,
    createdAt: toIso(now),
    // Every eleventh never expires.
    ...(seq % 11 !== 0 && { expiresAt: toIso(Math.floor(now + wait)) }),
  });
}
