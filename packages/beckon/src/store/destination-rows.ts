import { toIso } from '../core/clock.ts';
import type { DestinationRecord } from '../core/notify.ts';
import type { DestinationKind } from '../protocol/destination.ts';
import { toColumnText } from './column-text.ts';
import type { DestinationRow } from './notice-tables.ts';

/** The columns that a record says. The others are what the store knows about sending to it. */
export type DestinationColumns = Omit<
  DestinationRow,
  | 'after_seq'
  | 'failures'
  | 'failing_since'
  | 'backoff_until'
  | 'digest_at'
  | 'replay_seq'
  | 'replay_to'
  | 'last_sent_at'
>;

export function toDestinationColumns(record: DestinationRecord): DestinationColumns {
  const { label, target, when, filter, content, proof, tests } = record;
  return {
    id: record.id,
    owner: toColumnText(record.owner),
    kind: record.kind,
    chat_id: record.chatId ?? null,
    device_id: record.device ?? null,
    address: record.address ?? null,
    body: JSON.stringify({ label, target, when, filter, content, proof, tests }),
    secret: JSON.stringify(record.secret),
    is_on: record.isOn ? 1 : 0,
    created_at: Date.parse(record.createdAt),
    proven_at: toNullableMs(record.provenAt),
    paused_at: toNullableMs(record.pausedAt),
    problem: record.problem === undefined ? null : JSON.stringify(record.problem),
  };
}

/** `toDestinationColumns` wrote the row, so its parts fit together; the type cannot know. */
export function fromDestinationRow(row: DestinationRow): DestinationRecord {
  return {
    id: row.id,
    kind: row.kind as DestinationKind,
    owner: row.owner,
    ...JSON.parse(row.body),
    secret: JSON.parse(row.secret),
    ...(row.chat_id !== null && { chatId: row.chat_id }),
    ...(row.device_id !== null && { device: row.device_id }),
    ...(row.address !== null && { address: row.address }),
    isOn: row.is_on === 1,
    createdAt: toIso(row.created_at),
    ...(row.proven_at !== null && { provenAt: toIso(row.proven_at) }),
    ...(row.paused_at !== null && { pausedAt: toIso(row.paused_at) }),
    ...(row.problem !== null && { problem: JSON.parse(row.problem) }),
    ...(row.last_sent_at !== null && { lastSentAt: toIso(row.last_sent_at) }),
  } as DestinationRecord;
}

function toNullableMs(iso: string | undefined): number | null {
  return iso === undefined ? null : Date.parse(iso);
}
