import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interaction, Kind } from '../protocol/interaction.ts';
import { checkAnswer } from './check-answer.ts';
import { routeText, toTextAnswer } from './route-text.ts';

const pending = {
  id: 'int_1',
  chatId: 'default',
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

const ASKED: { [K in Kind]: Interaction } = {
  question: { ...pending, kind: 'question', request: { question: 'Which?', options: [{ label: 'SQLite' }] } },
  plan_review: { ...pending, kind: 'plan_review', request: { plan: '# Plan', toolInput: {} } },
  approval: { ...pending, kind: 'approval', request: { tool: 'Bash', input: {} } },
  form: { ...pending, kind: 'form', request: { message: 'Fill in', schema: {} } },
  component: { ...pending, kind: 'component', request: { components: [] } },
};
const { question, plan_review: plan, approval, form, component } = ASKED;
const never = (): boolean => false;
const always = (): boolean => true;
const awaiting: Interaction = { ...plan, awaitingFeedback: true };
const second: Interaction = { ...question, id: 'int_2', groupId: 'call', metadata: { step: 2, steps: 3 } };
const third: Interaction = { ...second, id: 'int_3', metadata: { step: 3, steps: 3 } };

describe('a text typed in a chat is meant for', () => {
  it.each<[string, Interaction[], Interaction | 'unclear' | 'nothing']>([
    ['nothing where nothing is pending', [], 'nothing'],
    ['the only question', [question], question],
    ['the only plan', [plan], plan],
    ['the only approval', [approval], approval],
    ['nothing where only a form is pending', [form], 'nothing'],
    ['nothing where only a component is pending', [component], 'nothing'],
    ['nothing where only a form and a component are pending', [form, component], 'nothing'],
    ['nobody surely where a form may be meant', [form, approval], 'unclear'],
    ['nobody surely where a component may be meant', [question, component], 'unclear'],
    ['nobody surely where two can take it', [question, approval], 'unclear'],
    ['nobody surely where three can take it', [question, plan, approval], 'unclear'],
    ['the plan whose feedback was asked for, before anything else', [question, awaiting, approval, form], awaiting],
    ['the lowest open question of a call', [third, second], second],
    ['nobody surely where two calls are open', [second, third, { ...third, groupId: 'other' }], 'unclear'],
    ['nobody surely where two await feedback', [awaiting, { ...awaiting, id: 'int_2' }], 'unclear'],
  ])('%s', (_, interactions, expected) => {
    const answers =
      typeof expected === 'string' ? null : { target: expected, answer: toTextAnswer(expected, 'yes', never) };
    expect(routeText(interactions, 'yes', never)).toStrictEqual(
      answers === null ? { type: expected } : { type: 'answers', ...answers },
    );
  });

  it('nothing where it is blank', () => {
    expect(routeText([question], ' \n', never)).toStrictEqual({ type: 'nothing' });
    expect(routeText([question, approval], '', never)).toStrictEqual({ type: 'nothing' });
  });
});

const NOT_YES = [
  'yes!',
  'yes.',
  'yes?',
  'yes/no',
  'y n',
  'yes no',
  'ok then no',
  'yes, but later',
  'yes and rename it',
  'not ok',
  'ｙｅｓ',
  'y\u200bes',
  'ye\u0455',
  '\u{1f44d}',
  '\u2705',
  'ja',
  'oui',
  'sure',
  'true',
  '1',
  'allow?',
  'allow all',
  'always',

  'yes\nno',
  'no\nyes',
  '"yes"',
  '`yes`',
  'yesyes',
  'yes yes',
  'y e s',
  'toString',
  '__proto__',
];

describe('nothing but a plain yes is consent', () => {
  const CHANGES = [
    'edit',
    'EDIT',
    ' adjust ',
    'change',
    'Modify',
    'revise',
    'update',
    'amend',
    'rework',
    'fix',
    'improve',
  ];

  it.each(NOT_YES)('%j denies an approval, and is feedback to a plan', (text) => {
    expect(toTextAnswer(approval, text, never)).toStrictEqual({ decision: 'deny', message: text });
    expect(toTextAnswer(plan, text, never)).toStrictEqual({ decision: 'adjust', feedback: text });
  });

  it.each(CHANGES)('%j asks what should change in a plan, and denies an approval', (text) => {
    expect(toTextAnswer(plan, text, never)).toStrictEqual({ decision: 'adjust' });
    expect(toTextAnswer(approval, text, never)).toStrictEqual({ decision: 'deny', message: text });
  });

  it.each(['default', 'clean_edit', 'clean edit', 'edit it', 'change it', 'allow', 'deny'])(
    '%j is feedback to a plan, although a button may be called so',
    (text) => {
      expect(toTextAnswer(plan, text, never)).toStrictEqual({ decision: 'adjust', feedback: text });
    },
  );

  it('whatever is typed to a plan accepts it only where the whole text is one of six words', () => {
    const accepting = ['yes', 'y', 'ok', 'accept', 'approve', 'proceed'];
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...accepting, ...CHANGES, ...NOT_YES)), (text) => {
        fc.pre(text.trim() !== '');
        const isYes = accepting.includes(text.trim().toLowerCase());
        const { decision } = toTextAnswer(plan, text, never) as { decision: string };
        expect(isYes ? ['clean_edit'] : ['adjust', 'reject']).toContain(decision);
      }),
    );
  });
});

describe('what is dangerous', () => {
  it.each(['yes', 'Y', ' ok ', 'accept', 'approve', 'proceed', 'allow'])('is not allowed by a plain %j', (text) => {
    expect(toTextAnswer(approval, text, always)).toBe('dangerous');
    expect(routeText([approval], text, always)).toStrictEqual({ type: 'dangerous', target: approval });
    expect(routeText([approval, question], text, always)).toStrictEqual({ type: 'unclear' });
  });

  it.each(['allow anyway', ' Allow Anyway\n'])('is allowed by %j', (text) => {
    const answer = { decision: 'allow' };
    expect(routeText([approval], text, always)).toStrictEqual({ type: 'answers', target: approval, answer });
    expect(toTextAnswer(approval, text, never)).toStrictEqual(answer);
  });

  it.each(['no', 'deny', 'anyway', 'yes anyway', 'allow  anyway', 'allow anyway!', 'yes yes'])(
    'is denied by %j',
    (text) => {
      expect(toTextAnswer(approval, text, always)).toMatchObject({ decision: 'deny' });
    },
  );

  it('is a matter of approvals only', () => {
    expect(toTextAnswer(plan, 'yes', always)).toStrictEqual({ decision: 'clean_edit' });
    expect(toTextAnswer(question, 'yes', always)).toStrictEqual({ text: 'yes' });
    expect(toTextAnswer(plan, 'allow anyway', never)).toStrictEqual({ decision: 'adjust', feedback: 'allow anyway' });
  });

  it('whatever is typed allows it only where the whole text says so', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('yes', 'allow anyway', ...NOT_YES)), (text) => {
        const isAllowed = isDeepStrictEqual(toTextAnswer(approval, text, always), { decision: 'allow' });
        expect(isAllowed).toBe(text.trim().toLowerCase() === 'allow anyway');
      }),
    );
  });
});

describe('a text becomes', () => {
  it.each<[string, Interaction, string, object | null]>([
    ['the answer to a question, as it was typed', question, ' sqlite\n', { text: ' sqlite\n' }],
    ['a decision about a plan, if it is a word for one', plan, ' Yes ', { decision: 'clean_edit' }],
    ['an "adjust", if it is a no to a plan', plan, 'no', { decision: 'adjust' }],
    ['a rejection of a plan', plan, 'reject', { decision: 'reject' }],
    ['feedback to a plan otherwise', plan, 'Use SQL', { decision: 'adjust', feedback: 'Use SQL' }],
    [
      'feedback even if it is a word, once feedback was asked for',
      awaiting,
      'yes',
      { decision: 'adjust', feedback: 'yes' },
    ],
    ['consent, only if it is a plain yes', approval, 'OK', { decision: 'allow' }],
    ['a denial, if it is a plain no', approval, 'no', { decision: 'deny' }],
    ['a denial with a reason otherwise', approval, 'yes, but later', { decision: 'deny', message: 'yes, but later' }],
    ['nothing for a form', form, 'Ana', null],
    ['nothing for a component', component, 'click', null],
  ])('%s', (_, interaction, text, answer) => {
    expect(toTextAnswer(interaction, text, never)).toStrictEqual(answer);
  });

  it.each(Object.values(ASKED))('nothing for a $kind where it is blank', (interaction) => {
    expect(toTextAnswer(interaction, '', never)).toBeNull();
    expect(toTextAnswer(interaction, ' \n\t', never)).toBeNull();
  });

  it('an answer that fits its interaction, whatever was typed', () => {
    fc.assert(
      fc.property(fc.constantFrom(question, plan, awaiting, approval), fc.string(), (interaction, text) => {
        fc.pre(text.trim() !== '');
        expect(() => checkAnswer(interaction, toTextAnswer(interaction, text, never), () => [])).not.toThrow();
      }),
    );
  });
});
