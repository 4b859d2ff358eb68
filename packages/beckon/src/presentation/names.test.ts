import { expect, test } from 'vitest';
import { DECISIONS } from '../protocol/decision.ts';
import { KINDS, STATUSES } from '../protocol/interaction.ts';
import { DECISION_NAMES, DECISION_SIGNS, describeStep, KIND_NAMES, STATUS_NAMES, toKindText } from './names.ts';

test('every kind and every status has a name of its own', () => {
  expect(new Set(KINDS.map((kind) => KIND_NAMES[kind])).size).toBe(KINDS.length);
  expect(new Set(STATUSES.map((status) => STATUS_NAMES[status])).size).toBe(STATUSES.length);
});

test('allowed and denied differ in name and sign', () => {
  expect(new Set(DECISIONS.map((decision) => DECISION_NAMES[decision])).size).toBe(DECISIONS.length);
  expect(DECISION_SIGNS.allowed).not.toBe(DECISION_SIGNS.denied);
});

test.each<[string, object | undefined]>([
  ['2 of 3', { step: 2, steps: 3 }],
  ['1 of 2', { step: 1, steps: 2, more: true }],
  ['', { step: 1, steps: 1 }],
  ['', { step: 4, steps: 3 }],
  ['', { step: 1, steps: 101 }],
  ['', { step: 0, steps: 3 }],
  ['', { step: '2', steps: 3 }],
  ['', { step: 2, steps: '\u001b' }],
  ['', { step: 1.5, steps: 3 }],
  ['', {}],
  ['', undefined],
])('the step is "%s" for %j', (text, metadata) => {
  expect(describeStep({ metadata } as object)).toBe(text);
});

test('the kind is followed by the step', () => {
  expect(toKindText({ kind: 'question', metadata: { step: 2, steps: 3 } })).toBe('Question 2 of 3');
  expect(toKindText({ kind: 'plan_review' })).toBe('Plan review');
});
