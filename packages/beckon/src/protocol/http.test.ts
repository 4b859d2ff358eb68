import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import {
  AnswerBody,
  ChatParams,
  ConversationQuery,
  CountsQuery,
  EventsQuery,
  IdParams,
  ListQuery,
  LoginBody,
  LoginLinkBody,
  LogQuery,
  ReasonBody,
  SayBody,
  SessionsQuery,
  StatisticsQuery,
  WaitQuery,
} from './http.ts';
import { parse } from './parse.ts';

describe('a query', () => {
  test.each<[z.ZodMiniType, object, object]>([
    [WaitQuery, {}, {}],
    [WaitQuery, { wait: '0' }, { wait: 0 }],
    [WaitQuery, { wait: '60' }, { wait: 60 }],
    [ListQuery, {}, {}],
    [ListQuery, { limit: '1' }, { limit: 1 }],
    [ListQuery, { limit: '200', status: 'pending', kind: 'form' }, { limit: 200, status: 'pending', kind: 'form' }],
    [ListQuery, { chatId: '-100', sessionId: 's', after: '12' }, { chatId: '-100', sessionId: 's', after: '12' }],
    [ListQuery, { text: 'a b' }, { text: 'a b' }],
    [CountsQuery, { decision: 'denied', person: 'ada' }, { decision: 'denied', person: 'ada' }],
    [ConversationQuery, { before: '3', limit: '500' }, { before: 3, limit: 500 }],
    [ConversationQuery, { limit: '1' }, { limit: 1 }],
    [LogQuery, { after: '3', limit: '1000' }, { after: 3, limit: 1000 }],
    [LogQuery, { limit: '1' }, { limit: 1 }],
    [SessionsQuery, { after: '3', limit: '200' }, { after: '3', limit: 200 }],
    [
      StatisticsQuery,
      { since: '2026-01-01', until: '2026-01-31T12:00:00Z' },
      { since: '2026-01-01', until: '2026-01-31T12:00:00Z' },
    ],
    [SayBody, { text: 'x', seen: 0 }, { text: 'x', seen: 0 }],
    [EventsQuery, {}, {}],
    [EventsQuery, { after: '0' }, { after: 0 }],
    [EventsQuery, { after: '999999999999999' }, { after: 999_999_999_999_999 }],
  ])('%#: text becomes what it stands for', (schema, input, output) => {
    expect(parse(schema, input, { what: 'query' })).toEqual(output);
  });

  test.each<[z.ZodMiniType, object, string]>([
    [WaitQuery, { wait: '61' }, 'wait: expected a whole number of seconds from 0 to 60, got "61" (text)'],
    [ConversationQuery, { limit: '0' }, 'limit: expected a whole number from 1 to 500'],
    [ConversationQuery, { limit: '501' }, 'limit: expected a whole number from 1 to 500'],
    [WaitQuery, { wait: '' }, 'wait: expected a whole number of seconds from 0 to 60, got "" (text)'],
    [WaitQuery, { wait: '-1' }, 'wait: expected a whole number'],
    [WaitQuery, { wait: '1.5' }, 'wait: expected a whole number'],
    [WaitQuery, { wait: '1e1' }, 'wait: expected a whole number'],
    [WaitQuery, { wait: ['1', '2'] }, 'wait: expected a text, got an array of 2'],
    [WaitQuery, { waits: '1' }, 'waits: expected no field of this name, got "1" (text)'],
    [ListQuery, { limit: '0' }, 'limit: expected a whole number from 1 to 200, got "0" (text)'],
    [ListQuery, { limit: '201' }, 'limit: expected a whole number from 1 to 200'],
    [ListQuery, { status: 'open' }, 'status: expected "pending" or'],
    [ListQuery, { kind: 'poll' }, 'kind: expected "question" or'],
    [ListQuery, { chatId: '' }, 'chatId: expected 1 to 200 characters'],
    [LogQuery, { limit: '0' }, 'limit: expected a whole number from 1 to 1000, got "0" (text)'],
    [LogQuery, { limit: '1001' }, 'limit: expected a whole number from 1 to 1000'],
    [LogQuery, { after: 'x' }, 'after: expected the number of an event'],
    [SessionsQuery, { after: 'x' }, 'after: expected a cursor from an earlier page, got "x" (text)'],
    [
      StatisticsQuery,
      { since: 'yesterday' },
      'since: expected a time such as "2026-01-31T12:00:00Z", got "yesterday" (text)',
    ],
    [StatisticsQuery, { until: '2026-99-99' }, 'until: expected a time such as'],
    [EventsQuery, { after: '1234567890123456' }, 'after: expected the number of an event'],
  ])('%#: that is wrong is refused by name', (schema, input, problem) => {
    expect(() => parse(schema, input, { what: 'query' })).toThrow(`Invalid query: ${problem}`);
  });
});

describe('a body', () => {
  test.each<[z.ZodMiniType, object]>([
    [AnswerBody, { answer: { text: 'yes' }, via: 'phone' }],
    [AnswerBody, { answer: {} }],
    [SayBody, { text: '', via: 'phone' }],
    [LoginBody, { code: 'x' }],
    [LoginBody, { code: 'x'.repeat(200) }],
    [LoginLinkBody, {}],
    [LoginLinkBody, { who: 'ada', role: 'admin', chatId: 'team' }],
    [ReasonBody, {}],
    [ReasonBody, { reason: 'no longer needed' }],
  ])('%#: that is right passes', (schema, input) => {
    expect(parse(schema, input, { what: 'body' })).toEqual(input);
  });

  test.each<[z.ZodMiniType, unknown, string]>([
    [AnswerBody, { answer: 'yes' }, 'answer: expected an object'],
    [AnswerBody, { answer: {}, who: 'root' }, 'who: expected no field of this name'],
    [AnswerBody, { answer: {}, via: '' }, 'via: expected a text that is not empty'],
    [SayBody, {}, 'text: expected a text, got nothing'],
    [SayBody, { text: 'x', seen: -1 }, 'seen: expected the number of an event, got -1 (number)'],
    [SayBody, { text: 'x', seen: 1.5 }, 'seen: expected the number of an event, got 1.5 (number)'],
    [LoginBody, { code: '' }, 'code: expected the code of a login link, got something else'],
    [LoginBody, { code: 'x'.repeat(201) }, 'code: expected the code of a login link, got something else'],
    [LoginLinkBody, { role: 'agent' }, 'role: expected "person" or "admin"'],
    [ReasonBody, { reason: 1 }, 'reason: expected a text, got 1 (number)'],
    [ReasonBody, null, 'expected an object, got null'],
  ])('%#: that is wrong is refused by name', (schema, input, problem) => {
    expect(() => parse(schema, input, { what: 'body' })).toThrow(`Invalid body: ${problem}`);
  });
});

test('a path has ids', () => {
  expect(parse(IdParams, { id: 'int_1' }, { what: 'path' })).toEqual({ id: 'int_1' });
  expect(() => parse(ChatParams, { chatId: 'a b' }, { what: 'path' })).toThrow(
    'Invalid path: chatId: expected 1 to 200',
  );
});
