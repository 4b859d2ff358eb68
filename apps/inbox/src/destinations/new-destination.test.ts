import { expect, test } from 'vitest';
import { NO_FIELDS, toNewDraft } from './new-destination.ts';

test('an e-mail address is taken without the spaces around it', () => {
  expect(toNewDraft('email', { ...NO_FIELDS, to: ' ada@example.com ' })).toEqual({
    draft: { kind: 'email', to: 'ada@example.com' },
  });
});

test.each(['', 'ada', 'ada@', '@example.com', 'Ada <ada@example.com>', 'a@b,c@d'])('%j is no e-mail address', (to) => {
  expect(toNewDraft('email', { ...NO_FIELDS, to })).toEqual({ problems: { to: expect.any(String) } });
});

test('ntfy needs nothing: the server is ntfy.sh, and Beckon makes a topic that nobody can guess', () => {
  expect(toNewDraft('ntfy', NO_FIELDS)).toEqual({ draft: { kind: 'ntfy', server: 'https://ntfy.sh' } });
  const own = { ...NO_FIELDS, server: 'https://ntfy.example', topic: 'ada-1', token: 'tk_1' };
  expect(toNewDraft('ntfy', own)).toEqual({
    draft: { kind: 'ntfy', server: 'https://ntfy.example', topic: 'ada-1', token: 'tk_1' },
  });
});

test('a name is optional, and not of spaces', () => {
  const url = 'https://ci.example/hook';
  expect(toNewDraft('webhook', { ...NO_FIELDS, url, label: ' CI ' })).toEqual({
    draft: { kind: 'webhook', url, label: 'CI' },
  });
  expect(toNewDraft('webhook', { ...NO_FIELDS, url, label: '  ' })).toEqual({ draft: { kind: 'webhook', url } });
});

test('every field of ntfy that is wrong is named', () => {
  const wrong = { ...NO_FIELDS, server: 'ntfy.sh', topic: 'a/b', token: 'a b' };
  expect(toNewDraft('ntfy', wrong)).toEqual({
    problems: { server: expect.any(String), topic: expect.any(String), token: expect.any(String) },
  });
});

test('a webhook gets all events, or those that are named', () => {
  const url = 'https://ci.example/hook';
  expect(toNewDraft('webhook', { ...NO_FIELDS, url })).toEqual({ draft: { kind: 'webhook', url } });
  expect(toNewDraft('webhook', { ...NO_FIELDS, url, types: 'interaction.*, session.started ' })).toEqual({
    draft: { kind: 'webhook', url, filter: { types: ['interaction.*', 'session.started'] } },
  });
});

test.each(['', 'ci.example', 'javascript:alert(1)', 'ftp://ci.example', 'https://'])(
  '%j is no URL of a webhook',
  (url) => {
    expect(toNewDraft('webhook', { ...NO_FIELDS, url })).toEqual({ problems: { url: expect.any(String) } });
  },
);
