import { expect } from 'vitest';
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
 * Checks the six promises of the specification, numbered as there, on what a runtime that knows nothing finds in the database.
 * `accepted` are the answers that somebody was told are accepted.
 */
export async function expectPromisesKept(node: Node, accepted: readonly Interaction[]): Promise<void> {
  const interactions = await listAll(node, 50);
  const log = await readWholeLog(node);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));

  for (const interaction of interactions) {
    const events = log.filter((event) => 'interactionId' in event && event.interactionId === interaction.id);
    const settling = events.filter(({ type }) => type in OUTCOMES);
    // 1: settled once, or not at all. 4: the outcome says what happened.
    expect(settling.map(({ type }) => OUTCOMES[type])).toEqual(interaction.status === 'pending' ? [] : [interaction.status]);
    // 3: what came too late was not counted, and no answer is no consent.
    const late = events.filter(({ type }) => type === 'interaction.late_answer');
    for (const event of late) expect(event.seq).toBeGreaterThan(settling[0]!.seq);
    if (late.length > 0) expect(interaction.status).not.toBe('answered');
    expect(interaction.answer !== undefined).toBe(interaction.status === 'answered');
    expect(interaction.answeredBy !== undefined).toBe(interaction.status === 'answered');
    expect(toJson(replay(interaction, events))).toEqual(toJson(interaction));
  }

  // 2 and 5: every accepted answer reaches also those who begin to wait only now.
  for (const answered of accepted) {
    expect(toJson(await within('an accepted answer', node.beckon.wait(answered.id)))).toEqual(toJson(answered));
  }
  // 6: asking again finds the same interaction, in whatever state it is.
  for (const interaction of interactions) {
    if (interaction.idempotencyKey === undefined) continue;
    const again = await node.beckon.ask({ ...REQUESTS.component, idempotencyKey: interaction.idempotencyKey });
    expect(toJson(again)).toEqual(toJson(interaction));
  }
  expect(await node.store.lastSeq()).toBe(log.length);
}

/** Builds an interaction from what was asked and what the log says happened since. */
function replay(interaction: Interaction, events: readonly LogEvent[]): Interaction {
  const { answer: _, answeredBy, reason, settledAt, ...asked } = interaction;
  const [requested, ...later] = events;
  expect(requested?.type).toBe('interaction.requested');
  let current = { ...asked, status: 'pending', awaitingFeedback: false } as Interaction;
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
