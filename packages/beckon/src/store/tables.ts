/** The type of a column, by a name that both engines know. Times are milliseconds, flags are 0 or 1, JSON is text. */
export type ColumnType = 'text' | 'bigint';

/** A table as the store writes it: its columns in order, the primary key first. */
export interface Table<Row> {
  name: string;
  columns: { readonly [Column in keyof Row & string]: ColumnType };
  /** The column with a number of the log that a `UnitOfWork` gives. */
  seq?: string;
}

/** One interaction. `body` never changes after the insert. Its `seq` is that of its `interaction.requested` event. */
export interface InteractionRow {
  seq: number;
  id: string;
  idempotency_key: string | null;
  chat_id: string;
  session_id: string | null;
  group_id: string | null;
  kind: string;
  status: string;
  awaiting_feedback: number;
  created_at: number;
  expires_at: number | null;
  settled_at: number | null;
  /** JSON: `request`, `metadata`, `context` (its summary), `askedBy`, `askerId`. */
  body: string;
  /** JSON: `answer`, `answeredBy`, `reason`. */
  outcome: string | null;
  /** What was asked under the idempotency key (`toRequestDigest`). Rows of an older Beckon have none. */
  digest: string | null;
}

/** The part of an interaction that a transition changes. */
export type InteractionChange = Pick<InteractionRow, 'seq' | 'status' | 'awaiting_feedback' | 'settled_at' | 'outcome'>;

/** What surrounds an interaction, as JSON. Lists do not read it, because it may be large. */
export interface ContextRow {
  interaction_seq: number;
  data: string;
}

export const CONTEXTS: Table<ContextRow> = {
  name: 'contexts',
  seq: 'interaction_seq',
  columns: { interaction_seq: 'bigint', data: 'text' },
};

/** One event of the log; `data` is JSON with the fields that its type adds. */
export interface LogRow {
  seq: number;
  type: string;
  at: number;
  interaction_id: string | null;
  chat_id: string | null;
  session_id: string | null;
  data: string;
}

export const INTERACTIONS: Table<InteractionRow> = {
  name: 'interactions',
  seq: 'seq',
  columns: {
    seq: 'bigint',
    id: 'text',
    idempotency_key: 'text',
    chat_id: 'text',
    session_id: 'text',
    group_id: 'text',
    kind: 'text',
    status: 'text',
    awaiting_feedback: 'bigint',
    created_at: 'bigint',
    expires_at: 'bigint',
    settled_at: 'bigint',
    body: 'text',
    outcome: 'text',
    digest: 'text',
  },
};

export const INTERACTION_CHANGES: Table<InteractionChange> = {
  name: 'interactions',
  columns: { seq: 'bigint', status: 'text', awaiting_feedback: 'bigint', settled_at: 'bigint', outcome: 'text' },
};

export const INTERACTION_STATUSES: Table<Pick<InteractionRow, 'id' | 'status' | 'expires_at'>> = {
  name: 'interactions',
  columns: { id: 'text', status: 'text', expires_at: 'bigint' },
};

export const LOG: Table<LogRow> = {
  name: 'log',
  seq: 'seq',
  columns: {
    seq: 'bigint',
    type: 'text',
    at: 'bigint',
    interaction_id: 'text',
    chat_id: 'text',
    session_id: 'text',
    data: 'text',
  },
};

/** One token. `hash` is of its secret, which is not kept. */
export interface TokenRow {
  id: string;
  name: string;
  role: string;
  chat_id: string | null;
  hash: string;
  created_at: number;
  answer_only: number;
  owner: string | null;
  /** What the machine calls itself that a person let in with it. */
  machine: string | null;
  last_used_at: number | null;
}

export const TOKENS: Table<TokenRow> = {
  name: 'tokens',
  columns: {
    id: 'text',
    name: 'text',
    role: 'text',
    chat_id: 'text',
    hash: 'text',
    created_at: 'bigint',
    answer_only: 'bigint',
    owner: 'text',
    machine: 'text',
    last_used_at: 'bigint',
  },
};

/** One machine that wants to come in. `hash` is of the secret that it made. */
export interface MachineLoginRow {
  id: string;
  hash: string;
  code: string;
  machine: string;
  user_name: string;
  /** JSON: the agents it named. */
  agents: string;
  address: string;
  /** Addresses whose logins count together. */
  address_group: string;
  created_at: number;
  expires_at: number;
  status: string;
  decided_by: string | null;
}

export const MACHINE_LOGINS: Table<MachineLoginRow> = {
  name: 'machine_logins',
  columns: {
    id: 'text',
    hash: 'text',
    code: 'text',
    machine: 'text',
    user_name: 'text',
    agents: 'text',
    address: 'text',
    address_group: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
    status: 'text',
    decided_by: 'text',
  },
};

/** One logged-in browser. `hash` is of the secret in its cookie. */
export interface DeviceRow {
  id: string;
  name: string;
  role: string;
  chat_id: string | null;
  hash: string;
  label: string;
  created_at: number;
  last_seen_at: number;
  answer_only: number;
}

export const DEVICES: Table<DeviceRow> = {
  name: 'devices',
  columns: {
    id: 'text',
    name: 'text',
    role: 'text',
    chat_id: 'text',
    hash: 'text',
    label: 'text',
    created_at: 'bigint',
    last_seen_at: 'bigint',
    answer_only: 'bigint',
  },
};

/** One login code, by its hash. */
export interface LoginCodeRow {
  hash: string;
  name: string;
  role: string;
  chat_id: string | null;
  expires_at: number;
  answer_only: number;
  /** The code works only while this request waits. */
  interaction_id: string | null;
}

export const LOGIN_CODES: Table<LoginCodeRow> = {
  name: 'login_codes',
  columns: {
    hash: 'text',
    name: 'text',
    role: 'text',
    chat_id: 'text',
    expires_at: 'bigint',
    answer_only: 'bigint',
    interaction_id: 'text',
  },
};

/** One hook. Its `seq` is that of its `hook.received` event. `data` is its own JSON text. */
export interface HookRow {
  seq: number;
  id: string;
  session_id: string;
  interaction_id: string;
  event_type: string;
  at: number;
  data: string;
}

export const HOOKS: Table<HookRow> = {
  name: 'hooks',
  columns: {
    seq: 'bigint',
    id: 'text',
    session_id: 'text',
    interaction_id: 'text',
    event_type: 'text',
    at: 'bigint',
    data: 'text',
  },
};

/**
 * One hook that has not arrived; its `seq` is the hook's. `error` is JSON, because a text in Postgres cannot have NUL.
 */
export interface OutboxRow {
  seq: number;
  destination: string;
  lane: string;
  status: string;
  attempts: number;
  error: string | null;
}

export const OUTBOX: Table<OutboxRow> = {
  name: 'outbox',
  columns: { seq: 'bigint', destination: 'text', lane: 'text', status: 'text', attempts: 'bigint', error: 'text' },
};

export const OUTBOX_CHANGES: Table<Pick<OutboxRow, 'seq' | 'status' | 'attempts' | 'error'>> = {
  name: 'outbox',
  columns: { seq: 'bigint', status: 'text', attempts: 'bigint', error: 'text' },
};

/**
 * A lane with waiting entries. One worker at a time claims it; `due_at` and `leased_until` are of the database's clock.
 */
export interface LaneRow {
  /** Lane and destination together. */
  key: string;
  destination: string;
  lane: string;
  due_at: number;
  claim: string | null;
  leased_until: number;
}

export const LANES: Table<LaneRow> = {
  name: 'outbox_lanes',
  columns: {
    key: 'text',
    destination: 'text',
    lane: 'text',
    due_at: 'bigint',
    claim: 'text',
    leased_until: 'bigint',
  },
};

/** One rule. Its `seq` is that of its `rule.added` event. */
export interface RuleRow {
  id: string;
  seq: number;
  /** JSON: everything that the other columns do not have. */
  body: string;
  author: string;
  author_id: string | null;
  chat_id: string | null;
  created_at: number;
  until: number | null;
  stopped_at: number | null;
  /** JSON, because a text in Postgres cannot have NUL. */
  stopped_why: string | null;
}

export const RULES: Table<RuleRow> = {
  name: 'rules',
  columns: {
    id: 'text',
    seq: 'bigint',
    body: 'text',
    author: 'text',
    author_id: 'text',
    chat_id: 'text',
    created_at: 'bigint',
    until: 'bigint',
    stopped_at: 'bigint',
    stopped_why: 'text',
  },
};

/** The part of a rule that an edit changes. */
export type RuleChange = Omit<RuleRow, 'seq'>;

export const RULE_CHANGES: Table<RuleChange> = {
  name: 'rules',
  columns: Object.fromEntries(
    Object.entries(RULES.columns).filter(([column]) => column !== 'seq'),
  ) as Table<RuleChange>['columns'],
};

/** What a rule said about a request. `position` is its place among the rules that said something; 0 decided. */
export interface RuleHitRow {
  rule_id: string;
  interaction_seq: number;
  position: number;
  effect: string;
  is_watch: number;
  at: number;
}

export const RULE_HITS: Table<RuleHitRow> = {
  name: 'rule_hits',
  seq: 'interaction_seq',
  columns: {
    rule_id: 'text',
    interaction_seq: 'bigint',
    position: 'bigint',
    effect: 'text',
    is_watch: 'bigint',
    at: 'bigint',
  },
};

/** Until when the agent of a request may stay away, by the database's clock. `key` is an idempotency key. */
export interface AttendanceRow {
  key: string;
  until: number;
}

export const ATTENDANCE: Table<AttendanceRow> = { name: 'attendance', columns: { key: 'text', until: 'bigint' } };
