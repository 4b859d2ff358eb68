import type { ClaimedNotices } from '../core/notice-outbox.ts';
import type { NoticeResult, NoticeSender } from '../core/notify.ts';
import { mayHaveWebhook } from '../core/told.ts';
import type { LogEvent } from '../protocol/events.ts';
import { toNoticeId } from './notice-names.ts';
import { GIVE_UP_MS, isGivenUp, isLastAttempt, toRest } from './settlement.ts';
import type { NotifyTools } from './tools.ts';

type Failure = Exclude<NoticeResult, { result: 'sent' | 'dead' }>;

/** An event is of use as long as its receiver may come back. */
const TTL_SECONDS = 7 * 86_400;

/** Sends the events of a lane to a webhook, each after the reply to the one before. `hasTime`: another attempt fits. */
export async function sendEvents(
  lane: ClaimedNotices,
  sender: NoticeSender,
  tools: NotifyTools,
  { signal, hasTime }: { signal: AbortSignal; hasTime: () => boolean },
): Promise<void> {
  const { store, clock, onAttempt } = tools;
  const { destination } = lane;
  const facts = await store.notices.facts({ lane, at: clock.now(), since: clock.now() });
  if (!mayHaveWebhook(facts.waysIn)) {
    await store.notices.settle({ lane, at: clock.now(), done: lane.entries.map(({ seq }) => seq), dueAt: clock.now() });
    return;
  }
  const events = new Map(
    (await store.notices.events(lane.entries.map(({ seq }) => seq))).map((event) => [event.seq, event]),
  );
  const interactions = new Map(
    (await store.getMany([...new Set([...events.values()].flatMap(toInteractionIds))])).map((one) => [one.id, one]),
  );
  const done: number[] = [];
  const dead: { seq: number; error: string }[] = [];
  let failure: { seq: number; attempts: number; result: Failure } | undefined;
  for (const { seq, attempts } of lane.entries) {
    if (signal.aborted || !hasTime()) break;
    const event = events.get(seq);
    if (event === undefined) continue;
    const [interactionId] = toInteractionIds(event);
    const interaction = interactionId === undefined ? undefined : interactions.get(interactionId);
    const result = await sender.send(
      {
        destination,
        what: 'event',
        event,
        topic: '',
        id: toNoticeId(destination.id, seq, 'event'),
        url: tools.toLink(interactionId === undefined ? '/' : `/i/${interactionId}`),
        ttlSeconds: TTL_SECONDS,
        ...(interaction !== undefined && { interaction }),
      },
      signal,
    );
    if (result.result !== 'sent' && signal.aborted) break;
    const isDead = result.result === 'dead' || (result.result === 'failed' && isLastAttempt(attempts));
    onAttempt?.({ kind: destination.kind, result: isDead ? 'dead' : result.result });
    if (result.result === 'sent') done.push(seq);
    else if (isDead) dead.push({ seq, error: result.error });
    else {
      failure = { seq, attempts, result: result as Failure };
      break;
    }
  }
  const at = clock.now();
  const isWell = done.length > 0 || dead.length > 0;
  const rest = failure === undefined ? undefined : toRest(lane, failure.result, { attempts: failure.attempts, at });
  await store.notices.settle({
    lane,
    at,
    done,
    dead,
    sent: done.map((seq) => ({ seq, what: 'event' })),
    dueAt: at,
    ...(isWell && { health: { isWell: true } }),
    ...(failure !== undefined && { failed: [{ seq: failure.seq, error: failure.result.error }] }),
    ...rest,
    ...(!isWell && failure !== undefined && isGivenUp(lane, at) && { giveUpBefore: at - GIVE_UP_MS }),
  });
}

function toInteractionIds(event: LogEvent): string[] {
  return 'interactionId' in event ? [event.interactionId] : [];
}
