import { describe, expect, it } from 'vitest';
import { LogEvent } from './events.ts';
import { parse } from './parse.ts';

const what = { what: 'event' };
const logged = { seq: 1, at: '2026-01-01T00:00:00.000Z' };
const ofInteraction = { ...logged, interactionId: 'int_1', chatId: 'default', kind: 'question' } as const;
const ofHook = { ...logged, sessionId: 'ses_1', hookId: 'hook_1', eventType: 'Stop' };
const by = { who: 'ana', via: 'inbox', kind: 'person' } as const;

/** One event of each type; the compiler says when a type is missing. */
const EVENTS: { [Type in LogEvent['type']]: Extract<LogEvent, { type: Type }> } = {
  'interaction.requested': {
    ...ofInteraction,
    type: 'interaction.requested',
    expiresAt: logged.at,
    sessionId: 'ses_1',
  },
  'interaction.delivered': { ...ofInteraction, type: 'interaction.delivered', connector: 'telegram' },
  'interaction.undeliverable': {
    ...ofInteraction,
    type: 'interaction.undeliverable',
    connector: 'a',
    error: 'offline',
  },
  'interaction.feedback_requested': { ...ofInteraction, type: 'interaction.feedback_requested', by },
  'interaction.answered': { ...ofInteraction, type: 'interaction.answered', answer: { text: 'a' }, by },
  'interaction.expired': { ...ofInteraction, type: 'interaction.expired' },
  'interaction.cancelled': { ...ofInteraction, type: 'interaction.cancelled', reason: 'the agent stopped' },
  'interaction.superseded': { ...ofInteraction, type: 'interaction.superseded', reason: 'asked again' },
  'interaction.late_answer': {
    ...ofInteraction,
    type: 'interaction.late_answer',
    answer: { text: 'a' },
    by,
    status: 'expired',
  },
  'interaction.withheld': { ...ofInteraction, type: 'interaction.withheld', reason: 'a.ts changed' },
  'interaction.watched': { ...ofInteraction, type: 'interaction.watched', ruleId: 'rul_1', effect: 'allow' },
  'interaction.reminded': { ...ofInteraction, type: 'interaction.reminded' },
  'interaction.escalated': { ...ofInteraction, type: 'interaction.escalated', to: 'bob', problem: 'not here' },
  'hook.received': { ...ofHook, type: 'hook.received' },
  'hook.forwarded': { ...ofHook, type: 'hook.forwarded' },
  'hook.dead': { ...ofHook, type: 'hook.dead', error: '422' },
  'session.started': { ...logged, type: 'session.started', sessionId: 'ses_1', conversationId: 'conv_1' },
  'session.ended': { ...logged, type: 'session.ended', sessionId: 'ses_1' },
  'session.renamed': { ...logged, type: 'session.renamed', sessionId: 'ses_1', title: 'Currency', by: 'ada' },
  'rule.added': { ...logged, type: 'rule.added', ruleId: 'rul_1', chatId: 'ops', by: 'ada' },
  'rule.changed': { ...logged, type: 'rule.changed', ruleId: 'rul_1', by: 'ada' },
  'rule.removed': { ...logged, type: 'rule.removed', ruleId: 'rul_1', by: 'ada' },
  'rule.stopped': { ...logged, type: 'rule.stopped', ruleId: 'rul_1', why: 'ada left', by: 'bob' },
  'policy.set': { ...logged, type: 'policy.set', chatId: 'ops', by: 'ada' },
  'policy.removed': { ...logged, type: 'policy.removed', project: 'webshop', by: 'ada' },
};

describe('a log event', () => {
  it('has one of twenty-five types', () => {
    expect(Object.keys(EVENTS)).toHaveLength(25);
  });

  it.each(Object.values(EVENTS))('may be $type; fields of a newer Beckon are dropped', (event) => {
    expect(parse(LogEvent, { ...event, addedLater: 1 }, what)).toEqual(event);
  });

  it.each([
    { text: 'a, b', selected: ['a'], notes: 'n' },
    { decision: 'adjust', feedback: 'smaller', editedPlan: '# B' },
    { decision: 'allow', message: 'm', updatedInput: { a: 1 }, remember: true },
    { decision: 'deny' },
    { values: { name: 'Ana' } },
    { action: 'click', data: null, component: 'card' },
  ])('keeps every field of the answer %j', (answer) => {
    for (const type of ['interaction.answered', 'interaction.late_answer'] as const) {
      expect(parse(LogEvent, { ...EVENTS[type], answer }, what)).toHaveProperty('answer', answer);
    }
  });

  it.each<[string, object, string]>([
    ['an unknown type', { type: 'interaction.forgotten' }, 'type: expected "interaction.requested" or '],
    ['no number', { seq: undefined }, 'seq: expected a number, got nothing'],
    ['no interaction', { interactionId: undefined }, 'interactionId: expected a text, got nothing'],
    ['an answer of no kind', { answer: { choice: 'a' } }, 'answer: expected '],
    ['nobody who answered', { by: undefined }, 'by: expected an object, got nothing'],
  ])('with %s is refused', (_, fields, problem) => {
    const event = { ...EVENTS['interaction.answered'], ...fields };
    expect(() => parse(LogEvent, event, what)).toThrow(`Invalid event: ${problem}`);
  });
});
