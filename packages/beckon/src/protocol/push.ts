import * as z from 'zod/mini';
import { NonEmptyText } from './json.ts';
import { RISK_LEVELS } from './risk.ts';

const words = {
  /** A later message with the same one replaces it on the screen. */
  topic: NonEmptyText,
  title: NonEmptyText,
  body: z.string(),
};

/**
 * What a push carries to the service worker of the page. It is sealed, so nobody on the way reads it. Fields that a
 * newer Beckon adds are dropped.
 */
export const PushMessage = z.discriminatedUnion('what', [
  z.object({
    ...words,
    what: z.literal(['asked', 'reminded', 'escalated', 'expiring']),
    requestId: NonEmptyText,
    risk: z.enum(RISK_LEVELS),
    /** Whose notification it is: somebody else may have logged in since. */
    to: NonEmptyText,
    /** Whether `body` shows all of the request, and two buttons may decide it. Absent: it must be opened. */
    isOneTap: z.optional(z.boolean()),
  }),
  z.object({ ...words, what: z.literal('settled'), requestId: NonEmptyText }),
  z.object({ ...words, what: z.literal('digest') }),
  /** Takes the place of a digest of which nothing is left. */
  z.object({ ...words, what: z.literal('over') }),
  z.object({ ...words, what: z.literal('test') }),
  /** The worker sends `code` back for the destination, which shows that pushes arrive. */
  z.object({ ...words, what: z.literal('proof'), destination: NonEmptyText, code: NonEmptyText }),
]);
export type PushMessage = z.output<typeof PushMessage>;

/** A private key of the curve P-256, as JSON Web Keys write it. */
export const VapidJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});
export type VapidJwk = z.output<typeof VapidJwk>;
