import { setTimeout as sleep } from 'node:timers/promises';
import type { PostReply } from './hook-post.ts';

/** How long Beckon may be away during a request until Claude Code goes on by itself. */
const AWAY_MS = 300_000;
const RETRY_MS = 250;
/** A connection that lasted longer than this had reached Beckon again. */
const HELD_MS = 1000;

/**
 * Sends a request until there is a reply, and returns the reply or the last failure. It waits for Beckon to come back
 * only if it was connected before: otherwise Beckon does not run, and nobody will answer.
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
