import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../../core/check-answer.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { Message } from './messages.ts';
import { Talk } from './talk.ts';
import { toRequest } from './to-request.ts';
import type { Translated } from './translated.ts';

const COMMAND = 'touch marker.txt && echo hi';
const once = (optionId: string, name = 'Allow') => ({ optionId, name, kind: 'allow_once' });
const always = (optionId: string, name: string) => ({ optionId, name, kind: 'allow_always' });
const reject = (optionId: string, name = 'Reject') => ({ optionId, name, kind: 'reject_once' });

describe('a tool call is named as risk, rules and diffs know it', () => {
  test.each([
    [
      'claude',
      { name: 'Bash', kind: 'execute', rawInput: { command: COMMAND, description: 'Make it' } },
      'Bash',
      { command: COMMAND, description: 'Make it' },
    ],
    [
      'codex',
      { kind: 'execute', rawInput: { command: COMMAND, cwd: '/work' } },
      'Bash',
      { command: COMMAND, cwd: '/work' },
    ],
    ['copilot', { kind: 'execute', rawInput: { command: COMMAND, commands: [COMMAND] } }, 'Bash', { command: COMMAND }],
    [
      'copilot',
      { kind: 'execute', rawInput: { command: COMMAND, commands: ['rm x'] } },
      'Bash',
      { command: COMMAND, commands: ['rm x'] },
    ],
    ['opencode', { kind: 'execute', rawInput: { command: COMMAND } }, 'Bash', { command: COMMAND }],
    [
      'qwen',
      { kind: 'execute', _meta: { toolName: 'run_shell_command' }, rawInput: { command: COMMAND } },
      'Bash',
      { command: COMMAND },
    ],
    [
      'qwen',
      { kind: 'edit', _meta: { toolName: 'write_file' }, rawInput: { file_path: '/w/a', content: 'x' } },
      'Write',
      { file_path: '/w/a', content: 'x' },
    ],
    [
      'gemini',
      { kind: 'execute', title: COMMAND, content: [text('[current working directory /work] (Make it)')] },
      'Bash',
      { command: COMMAND, cwd: '/work' },
    ],
    [
      'gemini',
      { kind: 'execute', title: COMMAND, content: [text('[in sub]')] },
      'Bash',
      { command: COMMAND, cwd: 'sub' },
    ],
    [
      'gemini',
      { kind: 'edit', title: 'Writing to a', content: [diff('/w/a', '', 'x\n')] },
      'Write',
      { file_path: '/w/a', content: 'x\n' },
    ],
    [
      'gemini',
      { kind: 'edit', content: [diff('/w/a', 'a\n', 'b\n')] },
      'Edit',
      { file_path: '/w/a', old_string: 'a\n', new_string: 'b\n' },
    ],
    [
      'codex',
      { kind: 'edit', content: [diff('/w/a', 'a\n', 'b\n'), diff('/w/a', 'c\n', 'd\n')] },
      'MultiEdit',
      {
        file_path: '/w/a',
        edits: [
          { old_string: 'a\n', new_string: 'b\n' },
          { old_string: 'c\n', new_string: 'd\n' },
        ],
      },
    ],
    [
      'codex',
      {
        kind: 'edit',
        content: [
          diff('/w/a', null, 'new\n'),
          diff('/w/b', 'old\n', '', 'delete'),
          diff('/w/c', 'a\n', 'b\n', 'update'),
        ],
      },
      'apply_patch',
      {
        patch:
          '*** Begin Patch\n*** Add File: /w/a\n+new\n*** Delete File: /w/b\n*** Update File: /w/c\n@@\n-a\n+b\n*** End Patch',
      },
    ],
    [
      'opencode',
      { kind: 'edit', rawInput: { filepath: '/w/a', diff: '--- /w/a\n+++ /w/a\n@@ -0,0 +1 @@\n+x\n' } },
      'apply_patch',
      { patch: '--- /w/a\n+++ /w/a\n@@ -0,0 +1 @@\n+x\n' },
    ],
    [
      'opencode',
      { kind: 'fetch', rawInput: { url: 'https://example.com' } },
      'WebFetch',
      { url: 'https://example.com' },
    ],
    // A title may be cut: a rule for commands must not go by it.
    ['unknown', { kind: 'execute', title: 'Running ls' }, 'execute', { title: 'Running ls' }],
    ['unknown', { title: 'Do something' }, 'Do something', { title: 'Do something' }],
  ])('%s', (agent, toolCall, tool, input) => {
    const { asks } = translate(permission(toolCall), agent);
    expect(asks).toEqual([{ kind: 'approval', request: expect.objectContaining({ tool, input }) }]);
  });

  test('with what an update said about it before', () => {
    const talk = new Talk();
    const update = { sessionUpdate: 'tool_call', toolCallId: 'call', kind: 'edit', content: [diff('/w/a', null, 'x')] };
    talk.hearAgent(Message.parse({ method: 'session/update', params: { sessionId: 's', update } }));
    const asked = toRequest(Message.parse(permission({ kind: 'edit', title: 'Edit files' })), talk);
    expect(asked?.asks).toMatchObject([{ request: { tool: 'Write', input: { file_path: '/w/a', content: 'x' } } }]);
  });
});

describe('an approval', () => {
  const OPTIONS = [
    always('user', 'Always for user'),
    always('project', 'Always in project'),
    once('yes'),
    reject('no'),
  ];

  test('is answered with the option of its kind, and "remember" is the narrowest that is offered', () => {
    const request = translate(permission({ kind: 'execute', rawInput: { command: 'ls' } }, OPTIONS));
    expect(request.asks).toMatchObject([
      { request: { suggestions: [{ optionId: 'project' }], abilities: { remember: true } } },
    ]);
    expect(answer(request, { decision: 'allow' })).toEqual(selected('yes'));
    expect(answer(request, { decision: 'allow', remember: true })).toEqual(selected('project'));
    expect(answer(request, { decision: 'deny' })).toEqual(selected('no'));
    expect(request.refusal).toEqual(selected('no'));
    expect(request.toAnswers(selected('yes'))).toEqual([{ decision: 'allow' }]);
    expect(request.toAnswers(selected('project'))).toEqual([{ decision: 'allow', remember: true }]);
    expect(request.toAnswers(selected('user'))).toEqual([{ decision: 'allow' }]);
    expect(request.toAnswers(selected('other'))).toBeNull();
    expect(request.toAnswers({ outcome: { outcome: 'cancelled' } })).toBeNull();
  });

  test.each(['pending', 'expired', 'cancelled', 'superseded'])('that is %s is no consent', (status) => {
    const request = translate(permission({ kind: 'execute', rawInput: { command: 'ls' } }, OPTIONS));
    expect(request.toResult([{ kind: 'approval', status, answer: { decision: 'allow' } } as Interaction])).toBeNull();
    expect(request.toResult([])).toBeNull();
  });

  test('that cannot be allowed for once is not asked, and without a way to reject it is cancelled', () => {
    expect(toRequest(Message.parse(permission({}, [always('a', 'Always'), reject('no')])), new Talk())).toBeNull();
    const request = translate(permission({}, [once('yes')]));
    expect(answer(request, { decision: 'deny' })).toEqual({ outcome: { outcome: 'cancelled' } });
  });
});

describe('a plan', () => {
  test.each([
    [
      'qwen',
      [
        once('restore', 'Yes, restore previous mode (auto)'),
        always('auto', 'Yes, and auto-accept edits'),
        once('hand', 'Yes, and manually approve edits'),
        reject('no'),
      ],
      { default: 'hand', edit: 'auto', adjust: 'no' },
    ],
    [
      'claude',
      [once('default', 'Yes, manually approve edits'), always('auto', 'Yes, and use auto mode'), reject('no')],
      { default: 'default', adjust: 'no' },
    ],
    [
      'codex',
      [once('implement', 'Yes, implement this plan'), reject('revise')],
      { default: 'implement', adjust: 'revise' },
    ],
  ] as const)('of %s is reviewed with the decisions that its options stand for', (_, options, expected) => {
    const request = translate(permission({ kind: 'switch_mode', rawInput: { plan: '# Plan' } }, options));
    const decisions = ['edit', 'default', 'adjust'].filter((one) => one in expected);
    const abilities = { feedback: false, editPlan: false, decisions };
    expect(request.asks).toMatchObject([{ kind: 'plan_review', request: { plan: '# Plan', abilities } }]);
    for (const [decision, optionId] of Object.entries(expected)) {
      expect(answer(request, { decision: decision === 'adjust' ? 'reject' : decision })).toEqual(selected(optionId));
    }
    // The nearest decision that the agent has.
    expect(answer(request, { decision: 'clean_edit' })).toEqual(
      selected('edit' in expected ? expected.edit : expected.default),
    );
    expect(request.toAnswers(selected(expected.default))).toEqual([{ decision: 'default' }]);
    expect(request.toAnswers(selected(expected.adjust))).toEqual([{ decision: 'reject' }]);
  });

  test('is not what enters plan mode', () => {
    const { asks } = translate(permission({ kind: 'switch_mode', name: 'EnterPlanMode', title: 'EnterPlanMode' }));
    expect(asks).toMatchObject([{ kind: 'approval', request: { tool: 'EnterPlanMode' } }]);
  });
});

describe('questions', () => {
  const OPTIONS = [{ label: 'SQLite', description: 'a file' }, { label: 'Postgres' }];
  const CHOICES = OPTIONS.map(({ label, ...rest }) => ({ const: label, title: label, ...rest }));

  test('of Qwen come as a permission', () => {
    const question = { question: 'Which?', header: 'Database', multiSelect: false, options: OPTIONS };
    const _meta = {
      qwenInteractionKind: 'user_question',
      qwenQuestions: [question, { ...question, question: 'Sure?' }],
    };
    const request = translate(permission({ kind: 'think', _meta }, [once('submit', 'Submit'), reject('no')]));
    expect(request.asks).toMatchObject([
      { kind: 'question', request: { question: 'Which?', abilities: { notes: false } } },
      { kind: 'question', request: { question: 'Sure?' } },
    ]);
    const result = { ...selected('submit'), answers: { 0: 'Postgres', 1: 'my own' } };
    expect(answer(request, { selected: ['Postgres'] }, { text: 'my own' })).toEqual(result);
    expect(request.toAnswers(result)).toEqual([{ text: 'Postgres' }, { text: 'my own' }]);
    expect(request.toAnswers(selected('no'))).toBeNull();
  });

  test('of Claude come as a form with a field for own words', () => {
    const properties = {
      question_0: { type: 'string', title: 'Database', oneOf: CHOICES },
      question_0_custom: { type: 'string', title: 'Other' },
    };
    const request = translate(elicitation(properties, 'Which database?'));
    expect(request.asks).toMatchObject([
      {
        kind: 'question',
        request: { question: 'Which database?', header: 'Database', abilities: { ownWords: true, notes: true } },
      },
    ]);
    for (const [given, content] of [
      [{ selected: ['Postgres'] }, { question_0: 'Postgres' }],
      [
        { selected: ['Postgres'], notes: 'soon' },
        { question_0: 'Postgres', question_0_custom: 'soon' },
      ],
      [{ text: 'MySQL' }, { question_0_custom: 'MySQL' }],
    ] as const) {
      expect(answer(request, given as AnswerInput)).toEqual({ action: 'accept', content });
    }
    expect(request.toAnswers({ action: 'accept', content: { question_0: 'SQLite' } })).toEqual([{ text: 'SQLite' }]);
    expect(request.toAnswers({ action: 'accept', content: {} })).toBeNull();
    expect(request.toAnswers({ action: 'decline' })).toBeNull();
  });

  test('of Claude may take several choices', () => {
    const properties = {
      question_0: { type: 'array', title: 'A', description: 'Which ones?', items: { anyOf: CHOICES } },
      question_0_custom: { type: 'string', title: 'Other' },
      question_1: { type: 'string', title: 'B', description: 'And why?', oneOf: CHOICES },
      question_1_custom: { type: 'string', title: 'Other' },
    };
    const request = translate(elicitation(properties, 'Please answer the following questions.'));
    expect(request.asks).toMatchObject([
      { request: { question: 'Which ones?', multiSelect: true } },
      { request: { question: 'And why?' } },
    ]);
    expect(answer(request, { selected: ['SQLite', 'MySQL'] }, { text: 'Postgres' })).toEqual({
      action: 'accept',
      content: { question_0: ['SQLite'], question_0_custom: 'MySQL', question_1: 'Postgres' },
    });
  });

  test('of Codex come as a form with a field for a note', () => {
    const codex = { isOther: true, isSecret: false };
    const other = { const: 'None of the above', title: 'None of the above' };
    const properties = {
      db: { title: 'Which?', description: 'Database', _meta: { codex }, type: 'string', oneOf: [...CHOICES, other] },
      db_note: { type: 'string', title: 'Note', _meta: { codex: { questionId: 'db', role: 'user_note' } } },
    };
    const request = translate(elicitation(properties, 'Codex needs your input to continue.'));
    expect(request.asks).toMatchObject([{ request: { question: 'Which?', header: 'Database', options: OPTIONS } }]);
    expect(answer(request, { text: 'MySQL' })).toEqual({
      action: 'accept',
      content: { db: 'None of the above', db_note: 'MySQL' },
    });
    const secret = { ...properties, db: { ...properties.db, _meta: { codex: { isSecret: true } } } };
    expect(toRequest(Message.parse(elicitation(secret, 'Secret?')), new Talk())).toBeNull();
  });
});

test('any other form stays one, and a page to open is left to the editor', () => {
  const properties = { name: { type: 'string', title: 'Name' } };
  const request = translate(elicitation(properties, 'Who?'));
  expect(request.asks).toMatchObject([{ kind: 'form', request: { message: 'Who?', schema: { properties } } }]);
  expect(answer(request, { values: { name: 'Ana' } })).toEqual({ action: 'accept', content: { name: 'Ana' } });
  expect(request.toAnswers({ action: 'accept', content: { name: 'Ana' } })).toEqual([{ values: { name: 'Ana' } }]);
  expect(request.toAnswers({ action: 'cancel' })).toBeNull();
  const page = {
    id: 1,
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Log in', url: 'https://example.com' },
  };
  expect(toRequest(Message.parse(page), new Talk())).toBeNull();
});

function translate(message: object, agent = 'acp'): Translated {
  const talk = new Talk();
  talk.agent = { name: agent, title: agent };
  const request = toRequest(Message.parse(message), talk);
  if (request === null) throw new Error('It cannot be asked');
  return request;
}

/** What the agent gets for these answers, after Beckon has checked them. */
function answer({ asks, toResult }: Translated, ...answers: AnswerInput[]): unknown {
  return toResult(
    asks.map((ask, index) => {
      const asked = { ...ask, status: 'answered' } as Interaction;
      return { ...asked, answer: checkAnswer(asked, answers[index], () => []).answer } as Interaction;
    }),
  );
}

function permission(toolCall: object, options: readonly object[] = [once('yes'), reject('no')]) {
  const params = { sessionId: 's', toolCall: { toolCallId: 'call', ...toolCall }, options };
  return { id: 1, method: 'session/request_permission', params };
}

function elicitation(properties: object, message: string) {
  const params = { mode: 'form', sessionId: 's', message, requestedSchema: { type: 'object', properties } };
  return { id: 1, method: 'elicitation/create', params };
}

function selected(optionId: string) {
  return { outcome: { outcome: 'selected', optionId } };
}

function text(words: string) {
  return { type: 'content', content: { type: 'text', text: words } };
}

function diff(path: string, oldText: string | null, newText: string, kind?: string) {
  return { type: 'diff', path, oldText, newText, ...(kind !== undefined && { _meta: { kind } }) };
}
