import type { Table } from './tables.ts';

/** Something that is to happen to a request that waits. `set_at` tells whether the clock was set back since. */
export interface TimerRow {
  interaction_id: string;
  /** Tells the timers of one request apart, in the order in which they were given. */
  position: number;
  what: string;
  /** A person's name, or the id of a destination. */
  target: string | null;
  due_at: number;
  set_at: number;
}

export const TIMERS: Table<TimerRow> = {
  name: 'timers',
  columns: {
    interaction_id: 'text',
    position: 'bigint',
    what: 'text',
    target: 'text',
    due_at: 'bigint',
    set_at: 'bigint',
  },
};

/** The time policy of one chat or project. `body` is JSON: `remindAfter`, `escalate`. */
export interface PolicyRow {
  scope: 'chat' | 'project';
  name: string;
  body: string;
  /** JSON, because a text in Postgres cannot have NUL. */
  set_by: string;
  set_at: number;
}
