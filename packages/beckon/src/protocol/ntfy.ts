import * as z from 'zod/mini';

/** A line of an ntfy stream. `open` and `keepalive` only show that the stream lives. */
export const NtfyLine = z.object({
  id: z.string(),
  /** Seconds since 1970. */
  time: z.number(),
  event: z.string(),
  topic: z.string(),
  message: z.optional(z.string()),
});
export type NtfyLine = z.output<typeof NtfyLine>;
