import type { Interaction, LogEvent } from 'beckon/protocol';
import { expect, test } from 'vitest';
import { addEvent, changePending, NO_PENDING, noChanges } from './pending.ts';

test('a request that is asked and settled at once is not read', () => {
  const changes = noChanges();
  addEvent(changes, toEvent({ type: 'interaction.requested', interactionId: 'a' }));
  addEvent(changes, toEvent({ type: 'interaction.expired', interactionId: 'a' }));
  addEvent(changes, toEvent({ type: 'interaction.feedback_requested', interactionId: 'a' }));
  expect([...changes.wanted]).toEqual([]);
  expect([...changes.settled]).toEqual(['a']);
});

test('a plan that waits for feedback is read again', () => {
  const changes = noChanges();
  addEvent(changes, toEvent({ type: 'interaction.feedback_requested', interactionId: 'a', sessionId: 's' }));
  expect([...changes.wanted]).toEqual(['a']);
  expect([...changes.sessions]).toEqual(['s']);
});

test('a hook concerns its session alone', () => {
  const changes = noChanges();
  addEvent(changes, toEvent({ type: 'hook.received', sessionId: 's' }));
  expect([...changes.sessions]).toEqual(['s']);
  expect(changes.logged.size).toBe(0);
});

test.each([
  [{ type: 'rule.stopped', ruleId: 'r' }, true],
  [{ type: 'interaction.watched', interactionId: 'a', ruleId: 'r' }, true],
  [{ type: 'interaction.answered', interactionId: 'a', by: { who: 'ada', kind: 'rule' } }, true],
  [{ type: 'interaction.answered', interactionId: 'a', by: { who: 'ada', kind: 'person' } }, false],
])('rules are read again after what concerns them: %j', (event, isRuled) => {
  const changes = noChanges();
  addEvent(changes, toEvent(event));
  expect(changes.isRuled).toBe(isRuled);
});

test('what settled is gone from the list, and stays away when an older page still has it', () => {
  const listed = changePending(NO_PENDING, { add: [toInteraction('a'), toInteraction('b')] });
  expect([...changePending(listed, { remove: new Set(['a']) }).items.keys()]).toEqual(['b']);
  expect([...changePending(listed, { add: [toInteraction('a')], remove: new Set(['a']) }).items.keys()]).toEqual(['b']);
  expect([...changePending(listed, { add: [toInteraction('a', 'answered')] }).items.keys()]).toEqual(['b']);
});

test('a list that does not change is the same list', () => {
  const listed = changePending(NO_PENDING, { add: [toInteraction('a')] });
  expect(changePending(listed, { remove: new Set(['x']) })).toBe(listed);
  expect(changePending(listed, { add: [toInteraction('x', 'expired')] })).toBe(listed);
});

function toEvent(event: object): LogEvent {
  return { seq: 1, at: '2026-11-16T10:00:00.000Z', chatId: 'c', kind: 'question', ...event } as LogEvent;
}

function toInteraction(id: string, status: Interaction['status'] = 'pending'): Interaction {
  return {
    id,
    status,
    chatId: 'c',
    kind: 'question',
    request: { question: '?', options: [] },
    awaitingFeedback: false,
    createdAt: '2026-11-16T10:00:00.000Z',
  };
}
