import type { LaneRow, OutboxRow, Table } from './tables.ts';

/** One destination. `body`, `secret` and `problem` are JSON. */
export interface DestinationRow {
  id: string;
  owner: string;
  kind: string;
  chat_id: string | null;
  device_id: string | null;
  /** Tells the addresses of browsers apart. */
  address: string | null;
  /** `label`, `target`, `when`, `filter`, `content`, `proof`, `tests`. */
  body: string;
  secret: string;
  is_on: number;
  created_at: number;
  proven_at: number | null;
  paused_at: number | null;
  problem: string | null;
  last_sent_at: number | null;
  /** Only later events of the log concern it. */
  after_seq: number;
  /** Failed attempts in a row. */
  failures: number;
  failing_since: number | null;
  backoff_until: number;
  digest_at: number;
  /** The part of the log that is sent again, from the first number on, up to the second. */
  replay_seq: number | null;
  replay_to: number | null;
}

export const DESTINATIONS: Table<DestinationRow> = {
  name: 'destinations',
  columns: {
    id: 'text',
    owner: 'text',
    kind: 'text',
    chat_id: 'text',
    device_id: 'text',
    address: 'text',
    body: 'text',
    secret: 'text',
    is_on: 'bigint',
    created_at: 'bigint',
    proven_at: 'bigint',
    paused_at: 'bigint',
    problem: 'text',
    last_sent_at: 'bigint',
    after_seq: 'bigint',
    failures: 'bigint',
    failing_since: 'bigint',
    backoff_until: 'bigint',
    digest_at: 'bigint',
    replay_seq: 'bigint',
    replay_to: 'bigint',
  },
};

/** One entry of the outbox that tells a person or a program; its `seq` is that of the event it is about. */
export interface NoticeEntryRow extends OutboxRow {
  what: string;
  planned_at: number;
}

export const NOTICE_ENTRIES: Table<NoticeEntryRow> = {
  name: 'outbox',
  columns: {
    seq: 'bigint',
    destination: 'text',
    lane: 'text',
    status: 'text',
    attempts: 'bigint',
    error: 'text',
    what: 'text',
    planned_at: 'bigint',
  },
};

/**
 * A lane to a destination of a person or a program. Its `due_at` is of the process's clock, and `set_at` is when it was
 * set, so that a clock that was set back is noticed.
 */
export interface NoticeLaneRow extends LaneRow {
  is_notice: number;
  set_at: number;
}

export const NOTICE_LANES: Table<NoticeLaneRow> = {
  name: 'outbox_lanes',
  columns: {
    key: 'text',
    destination: 'text',
    lane: 'text',
    due_at: 'bigint',
    claim: 'text',
    leased_until: 'bigint',
    is_notice: 'bigint',
    set_at: 'bigint',
  },
};
