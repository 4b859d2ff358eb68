import { MOST_ATTEMPTS, toRetryMs } from '../bridge/retry-schedule.ts';
import type { ClaimedNotices, NoticeSettlement } from '../core/notice-outbox.ts';
import type { NoticeResult } from '../core/notify.ts';
import type { NewLogEvent } from '../protocol/events.ts';
import type { NotifyTools } from './tools.ts';

/** What is given up has waited at least this long: more than a day. */
export const GIVE_UP_MS = 26 * 3_600_000;
/** A destination is given up only if it was tried this often, however late it is by a clock that was set. */
const LEAST_FAILURES = 100;

type Failure = Exclude<NoticeResult, { result: 'sent' }>;

/** Whether nothing has reached a destination for so long that what waits for it is given up. */
export function isGivenUp({ failures, failingSince }: ClaimedNotices, at: number): boolean {
  return failingSince !== undefined && failingSince <= at - GIVE_UP_MS && failures >= LEAST_FAILURES;
}

/** Whether an attempt that failed was the last one for its entry. */
export function isLastAttempt(attempts: number): boolean {
  return attempts + 1 >= MOST_ATTEMPTS;
}

/**
 * Records an attempt to tell a person that failed: the lane and its destination rest. What can never arrive becomes a
 * dead letter, or is dropped where nobody would miss it.
 */
export async function settleFailure(
  lane: ClaimedNotices,
  failure: Failure,
  tools: NotifyTools,
  {
    signal,
    events = [],
    isMissed = true,
  }: { signal: AbortSignal; events?: readonly NewLogEvent[]; isMissed?: boolean },
): Promise<void> {
  const { store, clock, onAttempt } = tools;
  const at = clock.now();
  // A stop broke it off. The next worker knows that a copy may be open.
  if (signal.aborted) return void (await store.notices.settle({ lane, at, done: [], dueAt: at }));
  const attempts = Math.max(...lane.entries.map((entry) => entry.attempts));
  const isDead = failure.result === 'dead' || isLastAttempt(attempts) || isGivenUp(lane, at);
  onAttempt?.({ kind: lane.destination.kind, result: isDead ? 'dead' : failure.result });
  if (failure.result === 'gone') return store.notices.forget({ lane, events });
  const failures = lane.entries.map(({ seq }) => ({ seq, error: failure.error }));
  await store.notices.settle({
    lane,
    at,
    done: isDead && !isMissed ? lane.entries.map(({ seq }) => seq) : [],
    ...(isDead && isMissed && { dead: failures, events }),
    ...(isDead && !isMissed && { isClosed: true }),
    ...(!isDead && { failed: failures }),
    // That a receiver does not want one notice says nothing about the next.
    ...(failure.result === 'dead' ? { dueAt: at } : toRest(lane, failure, { attempts, at })),
  });
}

/** When a lane is tried again after an attempt that failed, and how long its destination rests as a whole. */
export function toRest(
  lane: ClaimedNotices,
  failure: Failure,
  { attempts, at }: { attempts: number; at: number },
): Pick<NoticeSettlement, 'dueAt' | 'health'> {
  const asked = failure.result === 'failed' ? failure.retryAfterMs : 0;
  const until = at + toRetryMs(lane.failures + 1, Math.random(), asked);
  const isPaused = failure.result === 'refused';
  return {
    dueAt: at + toRetryMs(attempts + 1, Math.random(), asked),
    health: { isWell: false, error: failure.error, until, ...(isPaused && { isPaused }) },
  };
}
