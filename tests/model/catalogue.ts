import type { Answer, AnswerInput, AskInput, Kind } from '../../packages/beckon/src/index.ts';

/**
 * One way to answer, and what it means by the specification: the answer that is kept, `invalid`, or `feedback` for an
 * "adjust" whose text is still to come (with the answer to keep where that comes too late).
 */
interface Choice {
  readonly send: AnswerInput;
  readonly means: 'invalid' | 'keep' | 'feedback';
  readonly keep?: Answer;
}

const keep = (send: AnswerInput, kept: Answer): Choice => ({ send, means: 'keep', keep: kept });
const invalid = (send: unknown): Choice => ({ send: send as AnswerInput, means: 'invalid' });

export const KINDS: readonly Kind[] = ['question', 'plan_review', 'approval', 'form', 'component'];

/** One request of each kind, complete: nothing in it is left to a default. */
export const REQUESTS: Readonly<Record<Kind, AskInput>> = {
  question: {
    kind: 'question',
    request: { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }], multiSelect: false },
  },
  plan_review: { kind: 'plan_review', request: { plan: '1. Paint it.', toolInput: { plan: '1. Paint it.' } } },
  approval: { kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } },
  form: {
    kind: 'form',
    request: {
      message: 'How many?',
      schema: { type: 'object', properties: { count: { type: 'integer', minimum: 0 } }, required: ['count'] },
    },
  },
  component: { kind: 'component', request: { components: [{ type: 'button', label: 'Go' }] } },
};

/** Answers to those requests. Several mean the same, so that repeats come in other words too. */
export const CHOICES: Readonly<Record<Kind, readonly Choice[]>> = {
  question: [
    keep({ text: 'Red' }, { text: 'Red', selected: ['Red'] }),
    keep({ selected: ['Red'] }, { text: 'Red', selected: ['Red'] }),
    keep({ text: 'blue' }, { text: 'Blue', selected: ['Blue'] }),
    keep({ text: 'something\u0000 else, "größer" 🎨' }, { text: 'something\u0000 else, "größer" 🎨' }),
    invalid({}),
    invalid({ selected: ['Red', 'Blue'] }),
  ],
  plan_review: [
    keep({ decision: 'yes' }, { decision: 'clean_edit' }),
    keep({ decision: 'clean_edit' }, { decision: 'clean_edit' }),
    keep({ decision: 'edit' }, { decision: 'edit' }),
    keep({ feedback: 'smaller' }, { decision: 'adjust', feedback: 'smaller' }),
    keep({ decision: 'reject' }, { decision: 'adjust' }),
    { send: { decision: 'no' }, means: 'feedback', keep: { decision: 'adjust' } },
    { send: { decision: 'adjust' }, means: 'feedback', keep: { decision: 'adjust' } },
    invalid({ decision: 'perhaps' }),
  ],
  approval: [
    keep({ decision: 'allow' }, { decision: 'allow' }),
    keep({ decision: 'deny' }, { decision: 'deny' }),
    keep({ decision: 'deny', message: 'too risky' }, { decision: 'deny', message: 'too risky' }),
    keep(
      { decision: 'allow', updatedInput: { command: 'ls' } },
      { decision: 'allow', updatedInput: { command: 'ls' } },
    ),
    invalid({ decision: 'yes' }),
    invalid({ decision: 'allow', updatedInput: 'ls' }),
  ],
  form: [
    keep({ values: { count: 1 } }, { values: { count: 1 } }),
    keep({ values: { count: 2 } }, { values: { count: 2 } }),
    invalid({ values: { count: -1 } }),
    invalid({ values: {} }),
  ],
  component: [
    keep({ action: 'click', data: { x: 1, y: 2 } }, { action: 'click', data: { y: 2, x: 1 } }),
    keep({ action: 'click', data: { y: 2, x: 1 } }, { action: 'click', data: { x: 1, y: 2 } }),
    keep({ action: 'submit', data: null }, { action: 'submit', data: null }),
    invalid({ data: 1 }),
  ],
};

/** What people type into a chat. */
export const TEXTS = ['yes', 'no', 'Red', 'make it smaller', '   '] as const;
export type Text = (typeof TEXTS)[number];

/** What a typed text means for each kind; `null` where a text cannot answer it. */
export function toChoice(kind: Kind, awaitingFeedback: boolean, text: Text): Choice | null {
  if (text.trim() === '' || kind === 'form' || kind === 'component') return null;
  const meanings: Readonly<
    Record<Exclude<Text, '   '>, Readonly<Record<'question' | 'plan_review' | 'approval', Choice>>>
  > = {
    yes: {
      question: keep({}, { text: 'yes' }),
      plan_review: keep({}, { decision: 'clean_edit' }),
      approval: keep({}, { decision: 'allow' }),
    },
    no: {
      question: keep({}, { text: 'no' }),
      plan_review: { send: {}, means: 'feedback', keep: { decision: 'adjust' } },
      approval: keep({}, { decision: 'deny' }),
    },
    Red: {
      question: keep({}, { text: 'Red', selected: ['Red'] }),
      plan_review: keep({}, { decision: 'adjust', feedback: 'Red' }),
      approval: keep({}, { decision: 'deny', message: 'Red' }),
    },
    'make it smaller': {
      question: keep({}, { text: 'make it smaller' }),
      plan_review: keep({}, { decision: 'adjust', feedback: 'make it smaller' }),
      approval: keep({}, { decision: 'deny', message: 'make it smaller' }),
    },
  };
  // Once feedback was asked for, every text is that feedback.
  if (awaitingFeedback) return keep({}, { decision: 'adjust', feedback: text });
  return meanings[text as Exclude<Text, '   '>][kind];
}
