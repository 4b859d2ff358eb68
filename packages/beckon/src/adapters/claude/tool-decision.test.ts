import { expect, test } from 'vitest';
import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import { CLAUDE_ABILITIES, DEFERRED_ABILITIES } from './abilities.ts';
import { parseQuestions } from './questions.ts';
import { toToolDecision } from './tool-decision.ts';
import { toToolRequests } from './tool-requests.ts';

const SHARED = {
  id: 'int_1',
  chatId: 'default',
  status: 'answered',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;
const QUESTION: InteractionOf<'question'> = {
  ...SHARED,
  kind: 'question',
  request: { question: 'Which?', options: [] },
};
const PLAN: InteractionOf<'plan_review'> = {
  ...SHARED,
  kind: 'plan_review',
  request: { plan: '# P', toolInput: { plan: '# P' } },
};
const rules = [{ type: 'addRules' }];
const APPROVAL: InteractionOf<'approval'> = {
  ...SHARED,
  kind: 'approval',
  request: { tool: 'Bash', input: {}, suggestions: rules },
};

test.each<[string, Interaction[]]>([
  ['nothing was asked', []],
  ['a form was asked', [{ ...SHARED, kind: 'form', request: { message: '', schema: {} }, answer: { values: {} } }]],
  [
    'one was cancelled',
    [
      { ...QUESTION, answer: { text: 'a' } },
      { ...QUESTION, status: 'expired' },
      { ...QUESTION, status: 'cancelled' },
    ],
  ],
  ['none was answered', [{ ...QUESTION, status: 'expired' }]],
  ['an approval expired', [{ ...APPROVAL, status: 'expired' }]],
  ['a plan has no answer', [PLAN]],
  ['an approval has no answer', [APPROVAL]],
])('no decision: %s', (_, settled) => {
  expect(toToolDecision({}, settled)).toBeNull();
});

test('only questions with an answer are in the input', () => {
  const settled: Interaction[] = [
    { ...QUESTION, answer: { text: 'a' } },
    QUESTION,
    { ...PLAN, answer: { decision: 'edit' } },
  ];
  expect(toToolDecision({ questions: [] }, settled)).toEqual({
    behavior: 'allow',
    updatedInput: { questions: [], answers: { 'Which?': 'a' } },
  });
});

test.each([
  ['headers', { header: 'Db' }, { header: 'Region' }, 'Region', 'Db'],
  ['the questions where one has no header', { header: 'Db' }, {}, '"Where?"', '"Which?"'],
  ['the questions where headers are alike', { header: 'Db' }, { header: 'Db' }, '"Where?"', '"Which?"'],
])('what was answered before the rest expired is named by %s', (_, one, other, open, answered) => {
  const settled: Interaction[] = [
    { ...QUESTION, request: { ...QUESTION.request, ...one }, answer: { text: 'SQLite' } },
    { ...QUESTION, request: { question: 'Where?', options: [], ...other }, status: 'expired' },
  ];
  expect(toToolDecision({}, settled)).toEqual({
    behavior: 'deny',
    message:
      `Nobody answered 1 of 2 questions in time: ${open}. Answered: ${answered} = SQLite. ` +
      'Ask again only what is open.',
  });
});

test.each([
  ['edit', 'acceptEdits'],
  ['clean_edit', 'acceptEdits'],
  ['default', 'default'],
] as const)('a plan accepted as %s goes on in the mode %s', (decision, mode) => {
  expect(toToolDecision({}, [{ ...PLAN, answer: { decision } }])).toEqual({
    behavior: 'allow',
    updatedInput: { plan: '# P' },
    updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
  });
});

test('a plan that is sent back is denied', () => {
  const decision = toToolDecision({}, [{ ...PLAN, answer: { decision: 'adjust', feedback: 'More' } }]);
  expect(decision).toEqual({ behavior: 'deny', message: 'More' });
});

test.each<[string, Interaction, object]>([
  ['allowed', { ...APPROVAL, answer: { decision: 'allow' } }, { behavior: 'allow' }],
  [
    'allowed with another input',
    { ...APPROVAL, answer: { decision: 'allow', updatedInput: { a: 1 } } },
    { behavior: 'allow', updatedInput: { a: 1 } },
  ],
  [
    'remembered',
    { ...APPROVAL, answer: { decision: 'allow', remember: true } },
    { behavior: 'allow', updatedPermissions: rules },
  ],
  ['not remembered', { ...APPROVAL, answer: { decision: 'allow', remember: false } }, { behavior: 'allow' }],
  [
    'remembered without a rule',
    { ...APPROVAL, request: { tool: 'Bash', input: {} }, answer: { decision: 'allow', remember: true } },
    { behavior: 'allow' },
  ],
  ['denied', { ...APPROVAL, answer: { decision: 'deny', message: 'No' } }, { behavior: 'deny', message: 'No' }],
  [
    'denied without a word',
    { ...APPROVAL, answer: { decision: 'deny', message: '' }, answeredBy: { who: 'ana', via: 'x', kind: 'person' } },
    { behavior: 'deny', message: 'ana denied Bash.' },
  ],
  [
    'denied by somebody',
    { ...APPROVAL, answer: { decision: 'deny' } },
    { behavior: 'deny', message: 'The person denied Bash.' },
  ],
])('a tool is %s', (_, interaction, decision) => {
  expect(toToolDecision({}, [interaction])).toEqual(decision);
});

test('a tool call becomes what a person sees', () => {
  expect(toToolRequests({ tool: 'AskUserQuestion', input: { questions: [{ question: 'Which?' }] } })).toEqual([
    { kind: 'question', request: { question: 'Which?', options: [], abilities: CLAUDE_ABILITIES.question } },
  ]);
  expect(toToolRequests({ tool: 'ExitPlanMode', input: { plan: '# P' } })).toEqual([
    {
      kind: 'plan_review',
      request: { plan: '# P', toolInput: { plan: '# P' }, abilities: CLAUDE_ABILITIES.plan_review },
    },
  ]);
  expect(toToolRequests({ tool: 'ExitPlanMode', input: {} })).toEqual([
    { kind: 'plan_review', request: { plan: '', toolInput: {}, abilities: CLAUDE_ABILITIES.plan_review } },
  ]);
  expect(toToolRequests({ tool: 'Bash', input: { command: 'ls', description: 'List' } })).toEqual([
    {
      kind: 'approval',
      request: {
        tool: 'Bash',
        input: { command: 'ls', description: 'List' },
        description: 'List',
        suggestions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'Bash', ruleContent: 'ls' }],
            behavior: 'allow',
            destination: 'localSettings',
          },
        ],
        abilities: { denyText: true, editInput: true, remember: true },
      },
    },
  ]);
});

test('nobody is promised that Claude remembers something if it would keep no rule', () => {
  const abilities = { denyText: true, editInput: true, remember: false };
  expect(toToolRequests({ tool: 'Write', input: {} })).toEqual([
    { kind: 'approval', request: { tool: 'Write', input: {}, abilities } },
  ]);
  expect(toToolRequests({ tool: 'Bash', input: { command: 'ls' } }, DEFERRED_ABILITIES)).toEqual([
    { kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' }, abilities } },
  ]);
});

test('a model cannot say what its agent does with an answer', () => {
  const questions = [{ question: 'Which?', options: [{ label: 'A' }], abilities: { ownWords: false } }];
  expect(toToolRequests({ tool: 'AskUserQuestion', input: { questions } })).toMatchObject([
    { request: { abilities: { ownWords: true } } },
  ]);
  expect(parseQuestions({ questions })[0]).not.toHaveProperty('abilities');
});
