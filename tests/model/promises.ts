import assert from 'node:assert/strict';
import { transition } from '../../packages/beckon/src/core/transition.ts';
import type { Interaction, LogEvent } from '../../packages/beckon/src/index.ts';
import { within } from '../harness/within.ts';
import { REQUESTS } from './catalogue.ts';
import { toJson } from './explain.ts';
import { LogReader, listAll, type Node } from './nodes.ts';

const OUTCOMES: Readonly<Record<string, Interaction['status']>> = {
  'interaction.answered': 'answered',
  'interaction.expired': 'expired',
  'interaction.cancelled': 'cancelled',
  'interaction.superseded': 'superseded',
};

/**
 * Checks the six promises of the specification, numbered as there, and that no rule decides unless it is in force, on
 * what a runtime that knows nothing finds in the database. `accepted` are the answers that somebody was told are
 * accepted.
 */
export async function assertPromisesKept(node: Node, accepted: readonly Interaction[]): Promise<void> {
  const interactions = await listAll(node, 50);
  const log = await readWholeLog(node);
  assert.deepEqual(
    log.map(({ seq }) => seq),
    log.map((_, index) => index + 1),
  );

  for (const interaction of interactions) {
    const events = log.filter((event) => 'interactionId' in event && event.interactionId === interaction.id);
    const settling = events.filter(({ type }) => type in OUTCOMES);
    // 1: settled once, or not at all. 4: the outcome says what happened.
    assert.deepEqual(
      settling.map(({ type }) => OUTCOMES[type]),
      interaction.status === 'pending' ? [] : [interaction.status],
    );
    // 3: what came too late was not counted, and no answer is no consent.
    const late = events.filter(({ type }) => type === 'interaction.late_answer');
    for (const event of late) assert(event.seq > settling[0]!.seq);
    if (late.length > 0) assert.notEqual(interaction.status, 'answered');
    assert.equal(interaction.answer !== undefined, interaction.status === 'answered');
    assert.equal(interaction.answeredBy !== undefined, interaction.status === 'answered');
    assert.deepEqual(toJson(replay(interaction, events)), toJson(interaction));
  }

  assertRulesInForce(log);

  // 2 and 5: every accepted answer reaches also those who begin to wait only now.
  for (const answered of accepted) {
    assert.deepEqual(toJson(await within('an accepted answer', node.beckon.wait(answered.id))), toJson(answered));
  }
  // 6: asking the same again finds the same interaction, in whatever state it is; something else under its key is
  // refused.
  for (const interaction of interactions) {
    const { idempotencyKey, kind, chatId } = interaction;
    if (idempotencyKey === undefined) continue;
    const again = await node.beckon.ask({ ...REQUESTS[kind], chatId, idempotencyKey });
    assert.deepEqual(toJson(again), toJson(interaction));
    for (const other of [{ ...REQUESTS[kind], chatId: 'elsewhere' }, REQUESTS[kind === 'form' ? 'question' : 'form']])
      await assert.rejects(node.beckon.ask({ chatId, ...other, idempotencyKey }), { code: 'key_reused' });
  }
  assert.equal(await node.store.lastSeq(), log.length);
}

/** A rule decides right after the ask, and only between the events that made and removed it. */
function assertRulesInForce(log: readonly LogEvent[]): void {
  const inForce = new Set<string>();
  for (const [index, event] of log.entries()) {
    if (event.type === 'rule.added') inForce.add(event.ruleId);
    if (event.type === 'rule.removed') inForce.delete(event.ruleId);
    const ruleId = event.type === 'interaction.watched' ? event.ruleId : toDecidingRule(event);
    if (ruleId === undefined) continue;
    assert(inForce.has(ruleId), `${ruleId} says something at #${event.seq}, when it was not in force`);
    const before = log.slice(0, index).findLast(({ type }) => type !== 'interaction.watched');
    assert.deepEqual(
      [before?.type, before !== undefined && 'interactionId' in before && before.interactionId],
      ['interaction.requested', 'interactionId' in event && event.interactionId],
    );
  }
}

function toDecidingRule(event: LogEvent): string | undefined {
  if (event.type !== 'interaction.answered') return undefined;
  return event.by.via.startsWith('rule:') ? event.by.via.slice('rule:'.length) : undefined;
}

/** Builds an interaction from what was asked and what the log says happened since. */
function replay(interaction: Interaction, events: readonly LogEvent[]): Interaction {
  const [requested, ...later] = events;
  assert.equal(requested?.type, 'interaction.requested');
  const unsettled = { answer: undefined, answeredBy: undefined, reason: undefined, settledAt: undefined };
  let current = { ...interaction, ...unsettled, status: 'pending', awaitingFeedback: false } as unknown as Interaction;
  for (const event of later) {
    if (!('interactionId' in event)) continue;
    const next = transition(current, event);
    if (next === null) throw new Error(`The log has an event that cannot have happened: ${JSON.stringify(event)}`);
    current = next;
  }
  return current;
}

async function readWholeLog(node: Node): Promise<LogEvent[]> {
  const reader = new LogReader(node, 0);
  await within('the end of the log', reader.reaches(await node.store.lastSeq()));
  return reader.events;
}
