import { describe, expect, it } from 'vitest';
import { Answerer, AskInput, Interaction, KINDS, STATUSES } from './interaction.ts';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';

const REQUESTS = {
  question: { minimal: { question: 'Which?' }, filled: { question: 'Which?', options: [] } },
  plan_review: { minimal: { plan: '# Plan' }, filled: { plan: '# Plan', toolInput: {} } },
  approval: { minimal: { tool: 'Bash' }, filled: { tool: 'Bash', input: {} } },
  form: { minimal: { message: 'Who?', schema: {} }, filled: { message: 'Who?', schema: {} } },
  component: { minimal: { components: [] }, filled: { components: [] } },
} as const;

const ANSWERS = {
  question: { text: 'SQLite', selected: ['SQLite'], notes: 'simple' },
  plan_review: { decision: 'adjust', feedback: 'smaller' },
  approval: { decision: 'allow', updatedInput: { command: 'ls' } },
  form: { values: { name: 'Ana' } },
  component: { action: 'click', data: { row: 1 } },
} as const;

it('there are five kinds and five statuses', () => {
  expect(KINDS).toEqual(Object.keys(REQUESTS));
  expect(STATUSES).toEqual(['pending', 'answered', 'expired', 'cancelled', 'superseded']);
});

describe('an ask', () => {
  const what = { what: 'ask input' };
  const ask = { kind: 'question', request: { question: 'Which?' } };

  it.each(KINDS)('of the kind %s needs a request alone', (kind) => {
    const { minimal, filled } = REQUESTS[kind];
    expect(parse(AskInput, { kind, request: minimal }, what)).toEqual({ kind, request: filled });
  });

  it.each(KINDS)('of the kind %s may have every field', (kind) => {
    const input = {
      kind,
      request: REQUESTS[kind].filled,
      id: 'int_mine',
      chatId: '-100123',
      sessionId: 'ses_1',
      groupId: 'toolu_01',
      idempotencyKey: 'toolu_01:0',
      timeout: '5m',
      metadata: { cwd: '/home/dev', tags: ['a'] },
    };
    expect(parse(AskInput, input, what)).toEqual(input);
  });

  it.each([null, 0.001, 300, '1ms', LIMITS.durationSeconds])('may have the timeout %j', (timeout) => {
    expect(parse(AskInput, { ...ask, timeout }, what)).toMatchObject({ timeout });
  });

  const kinds = '"question" or "plan_review" or "approval" or "form" or "component"';
  it.each<[string, unknown, string]>([
    ['a text', 'Which?', 'expected an object, got "Which?" (text)'],
    ['no kind', { request: {} }, `kind: expected ${kinds}, got nothing`],
    ['an unknown kind', { ...ask, kind: 'poll' }, `kind: expected ${kinds}, got "poll" (text)`],
    ['no request', { kind: 'form' }, 'request: expected an object, got nothing'],
    [
      'a request of another kind',
      { ...ask, kind: 'form' },
      'request.message: expected a text, got nothing; request.schema',
    ],
    ['an unknown field', { ...ask, title: 'T' }, 'title: expected no field of this name, got "T" (text)'],
    ['a status', { ...ask, status: 'answered' }, 'status: expected no field of this name, got "answered" (text)'],
    ['a bad id', { ...ask, id: 'a b' }, 'id: expected 1 to 200 characters'],
    ['a bad chat id', { ...ask, chatId: '' }, 'chatId: expected 1 to 200 characters'],
    ['a bad session id', { ...ask, sessionId: '..' }, 'sessionId: expected 1 to 200 characters'],
    ['a bad group id', { ...ask, groupId: 'a/b' }, 'groupId: expected 1 to 200 characters'],
    ['a long idempotency key', { ...ask, idempotencyKey: 'k'.repeat(201) }, 'idempotencyKey: expected 1 to 200'],
    ['no time', { ...ask, timeout: 0 }, 'timeout: expected more than 0, or null for no timeout, got 0 (number)'],
    ['less than a millisecond', { ...ask, timeout: 0.0004 }, 'timeout: expected more than 0, or null for no timeout'],
    ['a negative timeout', { ...ask, timeout: -1 }, 'timeout: expected seconds from 0 to 315360000, or a text'],
    ['a timeout too long', { ...ask, timeout: '3651d' }, 'timeout: expected seconds from 0 to 315360000, or a text'],
    ['metadata that is no object', { ...ask, metadata: [] }, 'metadata: expected an object, got an array of 0'],
    ['metadata that is no JSON', { ...ask, metadata: { a: 1n } }, 'metadata.a: expected a JSON value, got 1 (bigint)'],
    [
      'a fault deep inside',
      { ...ask, request: { question: 'q', options: [{ label: 'a' }, {}] } },
      'request.options[1].label: expected a text, got nothing',
    ],
  ])('with %s is refused', (_, input, problem) => {
    expect(() => parse(AskInput, input, what)).toThrow(`Invalid ask input: ${problem}`);
  });

  it('has at most 1 MiB of metadata, beside its request', () => {
    const make = (bytes: number) => ({ ...ask, metadata: { a: 'a'.repeat(bytes - '{"a":""}'.length) } });
    expect(() => parse(AskInput, make(LIMITS.requestBytes), what)).not.toThrow();
    expect(() => parse(AskInput, make(LIMITS.requestBytes + 1), what)).toThrow(
      'Invalid ask input: metadata: expected at most 1048576 bytes of JSON, got 1048577 bytes',
    );
  });
});

describe('an interaction', () => {
  const what = { what: 'interaction' };
  const minimal = {
    id: 'int_1',
    chatId: 'default',
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
  };

  it.each(KINDS)('of the kind %s may be pending', (kind) => {
    const interaction = { ...minimal, kind, request: REQUESTS[kind].filled };
    expect(parse(Interaction, interaction, what)).toEqual(interaction);
  });

  it.each(KINDS)('of the kind %s may have every field, and drops those of a newer Beckon', (kind) => {
    const interaction = {
      ...minimal,
      kind,
      request: REQUESTS[kind].filled,
      sessionId: 'ses_1',
      groupId: 'toolu_01',
      idempotencyKey: 'key',
      metadata: { a: 1 },
      status: 'answered',
      answer: ANSWERS[kind],
      answeredBy: { who: 'ana', via: 'inbox', kind: 'person' },
      reason: 'because',
      expiresAt: '2026-01-01T00:05:00.000Z',
      settledAt: '2026-01-01T00:01:00.000Z',
    };
    expect(parse(Interaction, { ...interaction, addedLater: { a: 1 } }, what)).toEqual(interaction);
  });

  it.each<[string, object, string]>([
    ['an unknown status', { status: 'open' }, 'status: expected "pending" or "answered"'],
    ['an unknown kind', { kind: 'poll' }, 'kind: expected "question" or "plan_review"'],
    ['an answer of another kind', { answer: { values: {} } }, 'answer.text: expected a text, got nothing'],
    ['no id', { id: undefined }, 'id: expected a text, got nothing'],
    [
      'no word about feedback',
      { awaitingFeedback: undefined },
      'awaitingFeedback: expected true or false, got nothing',
    ],
  ])('with %s is refused', (_, fields, problem) => {
    const interaction = { ...minimal, kind: 'question', request: { question: 'q', options: [] }, ...fields };
    expect(() => parse(Interaction, interaction, what)).toThrow(`Invalid interaction: ${problem}`);
  });
});

describe('an answerer', () => {
  const what = { what: 'answerer' };

  it('is a person unless it says that it is a rule', () => {
    expect(parse(Answerer, { who: 'ana', via: 'inbox' }, what)).toEqual({ who: 'ana', via: 'inbox', kind: 'person' });
    const rule = { who: 'policy', via: 'config', kind: 'rule' };
    expect(parse(Answerer, rule, what)).toEqual(rule);
  });

  it.each<[object, string]>([
    [{ via: 'inbox' }, 'who: expected a text, got nothing'],
    [{ who: '', via: 'inbox' }, 'who: expected a text that is not empty, got "" (text)'],
    [{ who: 'ana', via: '' }, 'via: expected a text that is not empty, got "" (text)'],
    [{ who: 'ana', via: 'inbox', kind: 'robot' }, 'kind: expected "person" or "rule", got "robot" (text)'],
    [{ who: 'ana', via: 'inbox', role: 'admin' }, 'role: expected no field of this name, got "admin" (text)'],
  ])('may not be %j', (answerer, problem) => {
    expect(() => parse(Answerer, answerer, what)).toThrow(`Invalid answerer: ${problem}`);
  });
});
