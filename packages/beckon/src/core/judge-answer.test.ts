import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanReviewAnswer } from '../protocol/answers.ts';
import { type InteractionOf, STATUSES } from '../protocol/interaction.ts';
import type { CheckedAnswer } from './check-answer.ts';
import { judgeAnswer, toEventHead } from './judge-answer.ts';
import { transition } from './transition.ts';

const NOW = '2026-01-01T00:00:30.000Z';
const EARLIER = '2026-01-01T00:00:20.000Z';
const LATER = '2026-01-01T00:00:40.000Z';

const by = { who: 'ana', via: 'inbox', kind: 'person' } as const;
const head = { at: NOW, interactionId: 'int_1', chatId: 'team', sessionId: 'ses_1', kind: 'plan_review' } as const;

const pending: InteractionOf<'plan_review'> = {
  id: 'int_1',
  chatId: 'team',
  sessionId: 'ses_1',
  kind: 'plan_review',
  request: { plan: '# Plan', toolInput: {} },
  status: 'pending',
  awaitingFeedback: false,
  expiresAt: LATER,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const answered: InteractionOf<'plan_review'> = {
  ...pending,
  status: 'answered',
  answer: { decision: 'adjust', feedback: 'smaller steps' },
  answeredBy: { who: 'bo', via: 'terminal', kind: 'person' },
  settledAt: EARLIER,
};
const edit: CheckedAnswer = { answer: { decision: 'edit' }, needsFeedback: false };
const adjust: CheckedAnswer = { answer: { decision: 'adjust' }, needsFeedback: true };

describe('an answer to a pending interaction', () => {
  it('is accepted and settles it', () => {
    expect(judgeAnswer(pending, edit, by, NOW)).toStrictEqual({
      result: 'accepted',
      events: [{ ...head, type: 'interaction.answered', answer: edit.answer, by }],
    });
  });

  it('that still needs feedback is accepted and asks for it', () => {
    expect(judgeAnswer(pending, adjust, by, NOW)).toStrictEqual({
      result: 'accepted',
      events: [{ ...head, type: 'interaction.feedback_requested', by }],
    });
  });

  it('settles it even if feedback was asked for', () => {
    expect(judgeAnswer({ ...pending, awaitingFeedback: true }, edit, by, NOW)).toStrictEqual({
      result: 'accepted',
      events: [{ ...head, type: 'interaction.answered', answer: edit.answer, by }],
    });
  });

  it('that asks for feedback a second time is a repeat', () => {
    expect(judgeAnswer({ ...pending, awaitingFeedback: true }, adjust, by, NOW)).toStrictEqual({
      result: 'repeated',
      events: [],
    });
  });

  it('is accepted where there is no deadline', () => {
    const { expiresAt: _, ...endless } = pending;
    expect(judgeAnswer(endless, edit, by, NOW).result).toBe('accepted');
  });
});

describe('an answer to an answered interaction', () => {
  it('is a repeat when it is the same, whoever sends it and whenever', () => {
    const same: CheckedAnswer = {
      answer: { feedback: 'smaller steps', decision: 'adjust' },
      needsFeedback: false,
    };
    expect(judgeAnswer(answered, same, by, NOW)).toStrictEqual({ result: 'repeated', events: [] });
    expect(judgeAnswer(answered, same, by, '2999-01-01T00:00:00.000Z').result).toBe('repeated');
  });

  it('has lost when it is another one', () => {
    expect(judgeAnswer(answered, edit, by, NOW)).toStrictEqual({ result: 'lost', events: [] });
  });

  it('has lost, and is not late, when the deadline has passed since', () => {
    expect(judgeAnswer({ ...answered, expiresAt: NOW }, edit, by, NOW)).toStrictEqual({ result: 'lost', events: [] });
  });

  it('has lost when it still needs feedback, even against a rejection', () => {
    const rejected = { ...answered, answer: { decision: 'adjust' } satisfies PlanReviewAnswer };
    expect(judgeAnswer(rejected, adjust, by, NOW)).toStrictEqual({ result: 'lost', events: [] });
  });
});

describe('an answer that comes too late', () => {
  it.each(['expired', 'cancelled', 'superseded'] as const)('is only logged when it was %s', (status) => {
    expect(judgeAnswer({ ...pending, status, settledAt: EARLIER }, edit, by, NOW)).toStrictEqual({
      result: 'late',
      events: [{ ...head, type: 'interaction.late_answer', answer: edit.answer, by, status }],
    });
  });

  it('expires the interaction first where no timer has done so yet', () => {
    expect(judgeAnswer({ ...pending, expiresAt: NOW }, edit, by, NOW)).toStrictEqual({
      result: 'late',
      events: [
        { ...head, type: 'interaction.expired' },
        { ...head, type: 'interaction.late_answer', answer: edit.answer, by, status: 'expired' },
      ],
    });
  });

  it('is late even if it still needs feedback or feedback was asked for', () => {
    const overdue = { ...pending, awaitingFeedback: true, expiresAt: EARLIER };
    for (const checked of [edit, adjust]) {
      const { result, events } = judgeAnswer(overdue, checked, by, NOW);
      expect(result).toBe('late');
      expect(events.map(({ type }) => type)).toEqual(['interaction.expired', 'interaction.late_answer']);
    }
  });

  it('keeps the real status where it was cancelled before its deadline', () => {
    const cancelled = { ...pending, status: 'cancelled', settledAt: EARLIER, expiresAt: EARLIER } as const;
    expect(judgeAnswer(cancelled, edit, by, NOW).events).toMatchObject([{ status: 'cancelled' }]);
  });
});

it('every event of a verdict applies, and settles the interaction exactly when the answer was accepted', () => {
  const anyInteraction = fc.record({
    status: fc.constantFrom(...STATUSES),
    awaitingFeedback: fc.boolean(),
    expiresAt: fc.constantFrom(EARLIER, NOW, LATER),
  });
  fc.assert(
    fc.property(anyInteraction, fc.constantFrom(edit, adjust), (fields, checked) => {
      const current = { ...answered, ...fields };
      const { result, events } = judgeAnswer(current, checked, by, NOW);
      const after = events.reduce<ReturnType<typeof transition>>(
        (next, event) => next && transition(next, event),
        current,
      );
      expect(after).not.toBeNull();
      expect(after?.status === 'answered' && current.status === 'pending').toBe(
        result === 'accepted' && !checked.needsFeedback,
      );
    }),
  );
});

describe('toEventHead', () => {
  it('names the interaction, its chat, its session and its kind', () => {
    expect(toEventHead(pending, NOW)).toStrictEqual(head);
  });

  it('has no session where the interaction has none', () => {
    const { sessionId: _, ...withoutSession } = pending;
    expect(Object.keys(toEventHead(withoutSession, NOW))).toEqual(['at', 'interactionId', 'chatId', 'kind']);
  });
});
