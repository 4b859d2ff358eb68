import { expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';
import { PolicyBody, PolicyQuery } from './time-policies-http.ts';
import { Name, TimePolicy } from './time-policy.ts';

test.each([
  {},
  { remindAfter: '10m', escalate: [{ after: 60, to: 'bob' }] },
  { remindAfter: null, escalate: [] },
  { escalate: Array.from({ length: LIMITS.escalations }, () => ({ after: '1h', to: 'dst_1' })) },
])('%j is a time policy', (policy) => {
  expect(parse(TimePolicy, policy, { what: 'policy' })).toEqual(policy);
});

test.each([
  { remindAfter: 0 },
  { remindAfter: 'soon' },
  { escalate: [{ after: 0, to: 'bob' }] },
  { escalate: [{ after: '1h' }] },
  { escalate: Array.from({ length: LIMITS.escalations + 1 }, () => ({ after: '1h', to: 'bob' })) },
  { expireAfter: '1h' },
])('%j is no time policy', (policy) => {
  expect(() => parse(TimePolicy, policy, { what: 'policy' })).toThrow('Invalid policy');
});

test.each(['', 'a'.repeat(LIMITS.idChars + 1), 'a\uD800', 'a\nb'])('%j is no name', (name) => {
  expect(() => parse(Name, name, { what: 'name' })).toThrow('Invalid name');
});

test.each([
  { chatId: 'ops', remindAfter: '10m' },
  { project: 'webshop', escalate: [] },
])('%j sets the policy of one chat or project', (body) => {
  expect(parse(PolicyBody, body, { what: 'policy' })).toEqual(body);
});

test.each([{ remindAfter: '10m' }, { chatId: 'ops', project: 'webshop', remindAfter: '10m' }, { chatId: 'ops' }])(
  '%j sets nothing',
  (body) => {
    expect(() => parse(PolicyBody, body, { what: 'policy' })).toThrow('Invalid policy');
  },
);

test('one policy at a time is removed', () => {
  expect(parse(PolicyQuery, { chatId: 'ops' }, { what: 'query' })).toEqual({ chatId: 'ops' });
  expect(() => parse(PolicyQuery, {}, { what: 'query' })).toThrow('Invalid query');
});
