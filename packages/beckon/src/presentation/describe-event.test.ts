import { expect, test } from 'vitest';
import type { LogEvent } from '../protocol/events.ts';
import { describeEvent } from './describe-event.ts';

const AT = '2026-01-01T00:00:00.000Z';
const by = { who: 'ada', via: 'telegram', kind: 'person' } as const;

const describe = (event: object): string =>
  describeEvent({ seq: 1, at: AT, ...event } as LogEvent, (iso) => iso.slice(11, 16));

test.each<[string, object, string]>([
  ['interaction.requested', {}, 'no deadline'],
  ['interaction.requested', { expiresAt: AT }, 'until 00:00'],
  ['interaction.delivered', { connector: 'telegram' }, 'telegram'],
  ['interaction.undeliverable', { connector: 'telegram', error: 'no\nroute' }, 'telegram: no route'],
  ['interaction.feedback_requested', { by }, 'ada in Telegram'],
  ['interaction.answered', { by, answer: { decision: 'deny', message: 'no' } }, 'ada in Telegram: denied, no'],
  ['interaction.late_answer', { by, answer: { text: 'yes' } }, 'ada in Telegram: yes'],
  ['interaction.cancelled', { reason: 'the build is gone' }, 'the build is gone'],
  ['interaction.superseded', {}, ''],
  ['interaction.expired', {}, ''],
  ['interaction.reminded', {}, ''],
  ['interaction.escalated', { to: 'bob' }, 'to bob'],
  ['interaction.escalated', { to: 'dst_1', problem: 'It is\noff.' }, 'to dst_1, but nobody was told: It is off.'],
  ['hook.received', { eventType: 'PreToolUse' }, 'PreToolUse'],
  ['hook.forwarded', { eventType: 'PreToolUse' }, 'PreToolUse'],
  ['hook.dead', { eventType: 'PreToolUse', error: 'HTTP 422' }, 'PreToolUse: HTTP 422'],
  ['session.started', { conversationId: 'chat-1' }, 'chat-1'],
  ['session.started', {}, ''],
  ['session.ended', {}, ''],
  ['session.renamed', { title: 'Currency', by: 'ada' }, 'ada: Currency'],
  ['session.renamed', { title: '', by: 'ada' }, 'ada: title removed'],
  ['interaction.watched', { ruleId: 'rul_1', effect: 'deny' }, 'rul_1 would deny'],
  ['rule.added', { ruleId: 'rul_1', by: 'ada' }, 'rul_1 by ada'],
  ['rule.changed', { ruleId: 'rul_1', by: 'ada' }, 'rul_1 by ada'],
  ['rule.removed', { ruleId: 'rul_1', by: 'ada' }, 'rul_1 by ada'],
  ['rule.stopped', { ruleId: 'rul_1', why: 'an example\nfails' }, 'rul_1: an example fails'],
  ['rule.stopped', { ruleId: 'rul_1', why: 'wrong', by: 'bob' }, 'rul_1 by bob: wrong'],
  ['policy.set', { chatId: 'ops', by: 'ada' }, 'chat ops by ada'],
  ['policy.removed', { project: 'webshop', by: 'ada' }, 'project webshop by ada'],
])('%s of %j says "%s"', (type, fields, line) => {
  expect(describe({ type, ...fields })).toBe(line);
});

test('what people, agents and servers wrote is shown without obeying it', () => {
  expect(describe({ type: 'interaction.cancelled', reason: 'a\u001b[2J' })).toBe('a[U+001B][2J');
  expect(describe({ type: 'hook.received', eventType: 'Prе' })).toBe('Prе[U+0435]');
  expect(describe({ type: 'hook.dead', eventType: 'Stop', error: 'x'.repeat(1000) })).toHaveLength(506);
});
