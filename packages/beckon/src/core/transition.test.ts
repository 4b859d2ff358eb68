import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Interaction, type InteractionOf, STATUSES } from '../protocol/interaction.ts';
import { toIso } from './clock.ts';
import { type InteractionEvent, isDue, transition } from './transition.ts';

const NOW = '2026-01-01T00:00:30.000Z';
const BEFORE = '2026-01-01T00:00:29.999Z';
const AFTER = '2026-01-01T00:00:30.001Z';

const by = { who: 'dev@laptop', via: 'terminal', kind: 'person' } as const;
const head = { at: NOW, interactionId: 'int_1', chatId: 'default', kind: 'plan_review' } as const;

const pending = {
  id: 'int_1',
  chatId: 'default',
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;
const plan: InteractionOf<'plan_review'> = {
  ...pending,
  kind: 'plan_review',
  request: { plan: '# Plan', toolInput: { steps: [1, 2] } },
};
const settled = { ...plan, settledAt: BEFORE };

/** Every situation an interaction can be in when an event comes at `NOW`. */
const SITUATIONS: Record<string, Interaction> = {
  pending: { ...plan, expiresAt: AFTER },
  'awaiting feedback': { ...plan, expiresAt: AFTER, awaitingFeedback: true },
  'past its deadline': { ...plan, expiresAt: NOW },
  answered: { ...settled, status: 'answered', answer: { decision: 'edit' }, answeredBy: by },
  expired: { ...settled, status: 'expired', expiresAt: BEFORE },
  cancelled: { ...settled, status: 'cancelled', reason: 'the agent stopped' },
  superseded: { ...settled, status: 'superseded' },
};

/** One event of each type; the compiler says when a type is missing. */
const EVENTS: { [Type in InteractionEvent['type']]: Extract<InteractionEvent, { type: Type }> } = {
  'interaction.requested': { ...head, type: 'interaction.requested', expiresAt: AFTER },
  'interaction.delivered': { ...head, type: 'interaction.delivered', connector: 'inbox' },
  'interaction.undeliverable': { ...head, type: 'interaction.undeliverable', connector: 'inbox', error: 'offline' },
  'interaction.reminded': { ...head, type: 'interaction.reminded' },
  'interaction.escalated': { ...head, type: 'interaction.escalated', to: 'bob' },
  'interaction.watched': { ...head, type: 'interaction.watched', ruleId: 'rul_1', effect: 'allow' },
  'interaction.withheld': { ...head, type: 'interaction.withheld', reason: 'the file changed' },
  'interaction.feedback_requested': { ...head, type: 'interaction.feedback_requested', by },
  'interaction.answered': { ...head, type: 'interaction.answered', answer: { decision: 'clean_edit' }, by },
  'interaction.expired': { ...head, type: 'interaction.expired' },
  'interaction.cancelled': { ...head, type: 'interaction.cancelled', reason: 'no longer needed' },
  'interaction.superseded': { ...head, type: 'interaction.superseded', reason: 'answered elsewhere' },
  'interaction.late_answer': {
    ...head,
    type: 'interaction.late_answer',
    answer: { decision: 'edit' },
    by,
    status: 'expired',
  },
};

/**
 * The whole table, as in ARCHITECTURE.md. `-`: the event does not apply, and nothing is written. `kept`: it is a fact
 * for the log, and the interaction stays as it is. `awaits`: the feedback of the person is still to come. A status: it
 * settles so.
 */
const TABLE = `
                   | pending    | awaiting feedback | past its deadline | answered | expired | cancelled | superseded
requested          | -          | -                 | -                 | -        | -       | -         | -
delivered          | kept       | kept              | kept              | kept     | kept    | kept      | kept
undeliverable      | kept       | kept              | kept              | kept     | kept    | kept      | kept
reminded           | kept       | kept              | kept              | -        | -       | -         | -
escalated          | kept       | kept              | -                 | -        | -       | -         | -
watched            | kept       | kept              | kept              | -        | -       | -         | -
withheld           | -          | -                 | -                 | kept     | -       | -         | -
feedback_requested | awaits     | -                 | -                 | -        | -       | -         | -
answered           | answered   | answered          | -                 | -        | -       | -         | -
expired            | -          | -                 | expired           | -        | -       | -         | -
cancelled          | cancelled  | cancelled         | -                 | -        | -       | -         | -
superseded         | superseded | superseded        | -                 | -        | -       | -         | -
late_answer        | -          | -                 | -                 | -        | kept    | kept      | kept
`;

/** What each word of the table makes of the interaction. */
const OUTCOMES: Record<string, (current: Interaction) => object | null> = {
  '-': () => null,
  kept: (current) => current,
  awaits: (current) => ({ ...current, awaitingFeedback: true }),
  answered: (current) => ({
    ...current,
    ...settledAs('answered'),
    answer: { decision: 'clean_edit' },
    answeredBy: by,
  }),
  expired: (current) => ({ ...current, ...settledAs('expired') }),
  cancelled: (current) => ({ ...current, ...settledAs('cancelled'), reason: 'no longer needed' }),
  superseded: (current) => ({ ...current, ...settledAs('superseded'), reason: 'answered elsewhere' }),
};

describe('the table of statuses and events', () => {
  const [[, ...situations] = [], ...rows] = TABLE.slice(1, -1)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has every situation and every event', () => {
    expect(situations).toEqual(Object.keys(SITUATIONS));
    expect(new Set(Object.values(SITUATIONS).map(({ status }) => status))).toEqual(new Set(STATUSES));
    expect(rows.map(([name]) => `interaction.${name}`)).toEqual(Object.keys(EVENTS));
    expect(rows.every((row) => row.length === 1 + situations.length)).toBe(true);
  });

  const cells = rows.flatMap(([name, ...outcomes]) =>
    outcomes.map((outcome, column) => ({
      situation: situations[column] ?? '',
      type: `interaction.${name}` as InteractionEvent['type'],
      outcome,
    })),
  );

  it.each(cells)('$situation, then $type: $outcome', ({ situation, type, outcome }) => {
    const current = deepFreeze(SITUATIONS[situation]!);
    const next = transition(current, deepFreeze(EVENTS[type]));
    expect(next).toStrictEqual(OUTCOMES[outcome]!(current));
    expect(next === current).toBe(outcome === 'kept');
  });
});

describe('transition', () => {
  it('never changes the interaction it is given', () => {
    for (const current of Object.values(SITUATIONS)) {
      const copy = structuredClone(current);
      for (const event of Object.values(EVENTS)) transition(deepFreeze(current), deepFreeze(event));
      expect(current).toStrictEqual(copy);
    }
  });

  it('only a plan can await feedback', () => {
    const approval: Interaction = { ...pending, kind: 'approval', request: { tool: 'Bash', input: {} } };
    expect(transition(approval, EVENTS['interaction.feedback_requested'])).toBeNull();
  });

  it('an interaction that awaits feedback no longer does once it is settled', () => {
    const awaiting: Interaction = { ...plan, awaitingFeedback: true, expiresAt: NOW };
    expect(transition(awaiting, EVENTS['interaction.expired'])).toStrictEqual({
      ...awaiting,
      ...settledAs('expired'),
    });
  });

  it.each(['cancelled', 'superseded'] as const)('without a reason an interaction is %s without one', (status) => {
    const next = transition(plan, { ...head, type: `interaction.${status}` } as InteractionEvent);
    expect(next).toStrictEqual({ ...plan, ...settledAs(status) });
  });

  it('an interaction without a deadline never expires', () => {
    expect(transition(plan, { ...EVENTS['interaction.expired'], at: '2999-01-01T00:00:00.000Z' })).toBeNull();
    expect(transition(plan, EVENTS['interaction.answered'])).toMatchObject({ status: 'answered' });
  });

  it('events in any order settle an interaction at most once, and it stays as it was settled', () => {
    fc.assert(
      fc.property(anyStart, fc.array(anyEvent, { maxLength: 30 }), (start, events) => {
        let current = start;
        let settlements = 0;
        for (const event of events) {
          const next = transition(deepFreeze(current), event) ?? current;
          expect(next === current || current.status === 'pending').toBe(true);
          if (next.status !== current.status) settlements += 1;
          current = next;
        }
        expect(settlements).toBe(current.status === 'pending' ? 0 : 1);
        expectSound(current);
      }),
      { numRuns: 500 },
    );
  });
});

describe('isDue', () => {
  it.each([
    [BEFORE, false],
    [NOW, true],
    [AFTER, true],
  ])('at %s with a deadline at 30 seconds it is %s', (at, due) => {
    expect(isDue({ ...plan, expiresAt: NOW }, at)).toBe(due);
  });

  it('is false without a deadline', () => {
    expect(isDue(plan, AFTER)).toBe(false);
  });
});

const anyStart = fc
  .record({ kind: fc.constantFrom('plan_review', 'question'), deadline: fc.option(fc.nat(60)) })
  .map(({ kind, deadline }): Interaction => {
    const expiresAt = deadline === null ? {} : { expiresAt: toIso(deadline * 1000) };
    return kind === 'plan_review'
      ? { ...plan, ...expiresAt }
      : { ...pending, ...expiresAt, kind: 'question', request: { question: 'Which?', options: [] } };
  });

const anyEvent = fc
  .record({ event: fc.constantFrom(...Object.values(EVENTS)), second: fc.nat(90) })
  .map(({ event, second }): InteractionEvent => ({ ...event, at: toIso(second * 1000) }));

/** What holds of every interaction, however it came about. */
function expectSound(interaction: Interaction): void {
  const { status, settledAt, expiresAt } = interaction;
  expect(settledAt !== undefined).toBe(status !== 'pending');
  expect(interaction.answer !== undefined).toBe(status === 'answered');
  expect(interaction.answeredBy !== undefined).toBe(status === 'answered');
  expect(interaction.awaitingFeedback && (interaction.kind !== 'plan_review' || status !== 'pending')).toBe(false);
  expect(settledAt !== undefined && expiresAt !== undefined && settledAt >= expiresAt).toBe(status === 'expired');
}

function settledAs(status: Interaction['status']): object {
  return { status, awaitingFeedback: false, settledAt: NOW };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
