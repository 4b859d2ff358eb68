import type { Interaction, Risk } from '../../../protocol/index.ts';

/** What the risk of a request is found in. */
export type Subject = Pick<Interaction, 'kind' | 'request' | 'context'>;

/** The input of a call, as a person has edited it. */
export type Input = Readonly<Record<string, unknown>>;

/** Requests to assess, for the worker. */
export interface RiskJob {
  number: number;
  subjects: readonly Subject[];
}

/** The risk of each, in their order. `null`: it could not be assessed. */
export interface RiskReply {
  number: number;
  risks: readonly (Risk | null)[];
}
