import * as z from 'zod/mini';
import { ROLES } from './token.ts';

/** How long a browser stays logged in without coming back: 180 days. */
export const DEVICE_SECONDS = 15_552_000;

/** Who is logged in. `device` is absent for a caller with a token. */
export const Me = z.object({
  who: z.string(),
  role: z.enum(ROLES),
  chatId: z.optional(z.string()),
  device: z.optional(z.string()),
  /** Present if the caller may answer, but neither change what runs nor make rules. */
  answerOnly: z.optional(z.boolean()),
});
export type Me = z.output<typeof Me>;

/** A browser that was logged in by a link. */
export const Device = z.object({
  id: z.string(),
  who: z.string(),
  role: z.enum(ROLES),
  chatId: z.optional(z.string()),
  answerOnly: z.optional(z.boolean()),
  /** What the browser says it is, such as "Chrome on Android". */
  label: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
});
export type Device = z.output<typeof Device>;

/** The devices of the caller; of everybody, for an admin. */
export const DevicesReply = z.object({ items: z.array(Device) });

/** A link that logs in one browser, once. The code is in its fragment, which browsers do not send. */
export const LoginLink = z.object({ url: z.string(), expiresAt: z.string() });
export type LoginLink = z.output<typeof LoginLink>;
