import type { Interaction } from '../../packages/beckon/src/index.ts';

/** What the children of the answer race are told before each round. */
export interface Round {
  type: 'round';
  ids: string[];
}

/** What the children of the answer race say. Results and waits are in the order of the round's ids. */
export type RacerTold =
  | { type: 'ready' | 'waiting' }
  | { type: 'done'; results: { result: string; winner: Winner | null }[]; waited: Winner[] };

/** The part of an interaction that says who won it. */
export type Winner = Pick<Interaction, 'id' | 'answer' | 'answeredBy'>;

export function toWinner({ id, answer, answeredBy }: Interaction): Winner {
  return { id, answer, answeredBy } as Winner;
}

/** What the children that write and read the log are told when all have written: the last question of all. */
export interface End {
  type: 'end';
  id: string;
}

/** What the children that write and read the log say. */
export type LoggerTold = { type: 'ready' | 'written' } | { type: 'read'; readings: Reading[] };

/** What one reader of the log saw, up to the last question of all. */
export interface Reading {
  /** Where it began, or the ids of what was asked just before and just after it began without a place. */
  from: number | { before: string; after: string };
  first: number;
  last: number;
  count: number;
  /** Over every event in the order in which it was seen. */
  digest: string;
}
