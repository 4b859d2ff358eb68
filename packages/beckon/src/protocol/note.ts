import * as z from 'zod/mini';
import { NonEmptyText, Text } from './json.ts';

/** A fact about showing an interaction to people, for the log. */
export const Note = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('delivered'), connector: NonEmptyText }),
  z.strictObject({ type: z.literal('undeliverable'), connector: NonEmptyText, error: Text }),
  z.strictObject({ type: z.literal('reminded') }),
  /** An "allow" that was not handed to the agent, and why. */
  z.strictObject({ type: z.literal('withheld'), reason: NonEmptyText }),
]);
export type Note = z.output<typeof Note>;
