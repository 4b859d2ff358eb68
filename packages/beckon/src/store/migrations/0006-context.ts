import type { Migration } from './index.ts';

/** What surrounds a request, apart from the request itself, and the way to the requests of one group. */
export const context: Migration = ({ bigint }) => [
  `create table contexts (
    interaction_seq ${bigint} primary key,
    data text not null
  )`,
  'create index interactions_group on interactions (group_id, seq) where group_id is not null',
];
