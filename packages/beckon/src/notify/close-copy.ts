import type { ClaimedNotices, NoticeFacts } from '../core/notice-outbox.ts';
import type { NoticeSender } from '../core/notify.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toNoticeId, toTopic } from './notice-names.ts';
import { settleFailure } from './settlement.ts';
import type { NotifyTools } from './tools.ts';

/** A closing notice is of use as long as a copy may be shown. */
const CLOSING_TTL_SECONDS = 7 * 86_400;

/** Closes the copy of a request that ended. Nothing is sent if there never was one. */
export async function closeCopy(
  { lane, interaction, facts }: { lane: ClaimedNotices; interaction: Interaction; facts: NoticeFacts },
  sender: NoticeSender,
  tools: NotifyTools,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = tools;
  const { destination, entries } = lane;
  const done = entries.map(({ seq }) => seq);
  // An attempt that began, and whose end nobody noted, may have shown it.
  const isShown = facts.isOpen || entries.some(({ attempts }) => attempts > 0);
  if (!isShown) {
    await store.notices.settle({ lane, at: clock.now(), done, dueAt: clock.now() });
    return;
  }
  const { seq } = entries.find(({ what }) => what === 'settled') ?? entries.at(-1) ?? { seq: 0 };
  const result = await sender.send(
    {
      destination,
      what: 'settled',
      interaction,
      topic: toTopic(interaction.id),
      id: toNoticeId(destination.id, seq, 'settled'),
      url: tools.toLink(`/i/${interaction.id}`),
      ttlSeconds: CLOSING_TTL_SECONDS,
    },
    signal,
  );
  if (result.result !== 'sent') return settleFailure(lane, result, tools, { signal, isMissed: false });
  tools.onAttempt?.({ kind: destination.kind, result: 'sent' });
  const at = clock.now();
  const sent = [{ seq, what: 'settled' as const }];
  await store.notices.settle({ lane, at, done, sent, isClosed: true, dueAt: at, health: { isWell: true } });
}
