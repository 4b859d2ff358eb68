import assert from 'node:assert/strict';
import type { Store } from '../../packages/beckon/src/core/store.ts';
import type { LogEvent } from '../../packages/beckon/src/index.ts';

/** What was checked. */
export interface RuledFigures {
  asks: number;
  decided: number;
  changes: number;
}

/**
 * Checks that the log alone explains every decision: an approval that was asked while a rule of its chat was in force
 * was answered by that rule, right after its ask, and every other one by no rule. Each chat has at most one rule at a
 * time. The hits that the store counts must say the same.
 */
export async function checkRuledLog(store: Store): Promise<RuledFigures> {
  let log: LogEvent[];
  let hits: Map<string, number>;
  // The server may still commit what a dead child sent last.
  do {
    log = await readLog(store);
    hits = await countHits(store, log);
  } while ((await store.lastSeq()) !== log.length);
  const inForce = new Map<string, string>();
  const decidedBy = new Map<string, number>();
  const figures: RuledFigures = { asks: 0, decided: 0, changes: 0 };
  for (const [index, event] of log.entries()) {
    assert.equal(event.seq, index + 1);
    const chatId = 'chatId' in event ? (event.chatId ?? '') : '';
    if (event.type === 'rule.added') inForce.set(chatId, event.ruleId);
    if (event.type === 'rule.removed' || event.type === 'rule.stopped') inForce.delete(chatId);
    if (event.type.startsWith('rule.')) figures.changes += 1;
    if (event.type === 'interaction.answered') assert.equal(log[index - 1]?.type, 'interaction.requested');
    if (event.type !== 'interaction.requested') continue;
    figures.asks += 1;
    const ruleId = inForce.get(chatId);
    const next = log[index + 1];
    const answer =
      next?.type === 'interaction.answered' && next.interactionId === event.interactionId ? next : undefined;
    assert.equal(answer?.by.via, ruleId === undefined ? undefined : `rule:${ruleId}`, `the decision of #${event.seq}`);
    if (ruleId === undefined) continue;
    figures.decided += 1;
    decidedBy.set(ruleId, (decidedBy.get(ruleId) ?? 0) + 1);
  }
  assert.deepEqual(hits, decidedBy);
  return figures;
}

/** The hits of every rule that there ever was and that has some. */
async function countHits(store: Store, log: readonly LogEvent[]): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const event of log) {
    if (event.type !== 'rule.added') continue;
    const { days } = await store.rules.hits({ ruleId: event.ruleId, limit: 1 });
    if (days.length > 0)
      counted.set(
        event.ruleId,
        days.reduce((sum, { hits }) => sum + hits, 0),
      );
  }
  return counted;
}

async function readLog(store: Store): Promise<LogEvent[]> {
  const log: LogEvent[] = [];
  for (;;) {
    const events = await store.readLog({ after: log.length, limit: 5000 });
    log.push(...events);
    if (events.length < 5000) return log;
  }
}
