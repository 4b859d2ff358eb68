import { setTimeout as sleep } from 'node:timers/promises';
import type { PostReply } from './hook-post.ts';

/** How long Beckon may be away in the middle of a question before Claude Code is left to itself. */
const AWAY_MS = 300_000;
const RETRY_MS = 250;
/** Whoever waited for longer before the connection was lost had been let in again. */
const HELD_MS = 1000;

/**
 * Sends a question until there is a reply, and returns it, or the last failure. Only who was let in before waits for Beckon to come
 * back: otherwise it does not run, and nobody will answer.
 */
export async function sendUntilReplied(
  send: () => Promise<PostReply>,
  clock: { now(): number; sleep(ms: number): Promise<void> } = { now: Date.now, sleep },
): Promise<PostReply> {
  let giveUpAt: number | undefined;
  for (;;) {
    const sentAt = clock.now();
    const reply = await send();
    const now = clock.now();
    if (reply.result === 'lost' && (giveUpAt === undefined || now - sentAt > HELD_MS)) giveUpAt = now + AWAY_MS;
    if (reply.result === 'replied' || giveUpAt === undefined || now > giveUpAt) return reply;
    await clock.sleep(RETRY_MS);
  }
}
