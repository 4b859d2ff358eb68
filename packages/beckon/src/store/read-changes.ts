import type { Engine } from './driver.ts';

/** A part of the log in one row, so that a node pays little for what happens at the others. */
export interface ChangesRow {
  last_seq: number | null;
  /** A JSON list. */
  ids: string | null;
  expires_at: number | null;
}

/** Reads up to `$2` events after number `$1`. */
export const READ_CHANGES: Readonly<Record<Engine, string>> = {
  sqlite: toQuery('json_group_array(interaction_id)'),
  postgres: toQuery('json_agg(interaction_id)::text'),
};

// An interaction has the number of its `interaction.requested`. Without its status, because an index by deadlines would
// then be read instead.
function toQuery(list: string): string {
  return `with part as (select seq, type, interaction_id from log where seq > $1 order by seq limit $2)
    select
      (select max(seq) from part) as last_seq,
      (select ${list} from part where interaction_id is not null and type <> 'interaction.requested') as ids,
      (select min(expires_at) from interactions where seq > $1 and seq <= (select max(seq) from part)) as expires_at`;
}
