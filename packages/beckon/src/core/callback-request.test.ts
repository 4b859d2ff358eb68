import { expect, test } from 'vitest';
import { BeckonError } from '../protocol/errors.ts';
import {
  type CallbackLookup,
  type CallbackReply,
  type CallbackRequest,
  type FoundCallback,
  handleCallback,
  readProof,
  toLostEvent,
  toUnknownCallback,
} from './callback-request.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PAGE = 'http://localhost:3000';
const ALWAYS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const PROBLEM = { ...ALWAYS, 'content-type': 'application/problem+json' };

interface Sent extends Partial<CallbackRequest> {
  body?: string;
  found?: Partial<FoundCallback> | undefined;
  isSigned?: boolean;
}

function send({ body = '{"action":"click"}', found = {}, isSigned = false, ...request }: Sent): Promise<CallbackReply> {
  const callback: FoundCallback = { verdict: 'good', origins: () => [], take: () => 'accepted', ...found };
  const lookup: CallbackLookup = { isSigned, find: () => callback };
  return handleCallback(
    { id: 'ada', isPreflight: false, headers: JSON_TYPE, readBody: () => body, ...request },
    lookup,
  );
}

test('an event is handed over as it is kept, and the page hears what became of it', async () => {
  const taken: unknown[] = [];
  const take = (event: unknown): 'repeated' => {
    taken.push(event);
    return 'repeated';
  };
  expect(await send({ found: { take } })).toEqual({
    status: 200,
    headers: { ...ALWAYS, ...JSON_TYPE },
    body: '{"result":"repeated"}',
  });
  expect(taken).toEqual([{ action: 'click', data: null }]);
});

test.each<[string, Sent, number, string]>([
  ['a forged URL', { found: { verdict: 'forged' } }, 404, 'interaction_not_found'],
  ['an expired URL', { found: { verdict: 'expired' } }, 410, 'answer_late'],
  ['a preflight without an origin', { isPreflight: true }, 404, 'route_not_found'],
  ['no content type', { headers: {} }, 415, 'unsupported_media_type'],
  ['another content type', { headers: { 'content-type': 'text/json' } }, 415, 'unsupported_media_type'],
  ['no JSON', { body: '{' }, 400, 'invalid_input'],
  ['a name twice', { body: '{"action":"a","action":"b"}' }, 400, 'invalid_input'],
  ['an unknown field', { body: '{"action":"a","type":"b"}' }, 400, 'invalid_input'],
  ['an event that is not taken', { found: { take: () => Promise.reject(toLostEvent()) } }, 409, 'answer_lost'],
])('%s is refused', async (_, sent, status, code) => {
  const reply = await send(sent);
  expect(reply).toMatchObject({ status, headers: PROBLEM });
  expect(JSON.parse(reply.body)).toMatchObject({ status, code });
  expect(reply).not.toHaveProperty('failure');
});

test('an unknown id and a forged URL get the same reply, which shortens a long id', async () => {
  const lookup: CallbackLookup = { isSigned: true, find: () => undefined };
  const request = { isPreflight: false, headers: JSON_TYPE, readBody: () => '{}' };
  expect(await handleCallback({ ...request, id: 'ada' }, lookup)).toEqual(
    await send({ found: { verdict: 'forged' }, isSigned: true }),
  );
  expect(toUnknownCallback('x'.repeat(300)).message).toHaveLength(toUnknownCallback('x'.repeat(200)).message.length);
});

test('JSON of a named kind is JSON', async () => {
  expect(await send({ headers: { 'content-type': 'application/vnd.event+json; charset=utf-8' } })).toMatchObject({
    status: 200,
  });
});

test.each<[string, boolean, readonly string[]]>([
  ['a named page, unsigned', false, [PAGE]],
  ['a named page, signed', true, [PAGE]],
  ['any page if none was named, signed', true, []],
])('%s, may send', async (_, isSigned, origins) => {
  const headers = { ...JSON_TYPE, host: '127.0.0.1:8228', origin: PAGE };
  const found = { origins: () => Promise.resolve(origins) };
  const cors = {
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    'access-control-allow-private-network': 'true',
    vary: 'Origin',
  };
  const preflight = await send({ isPreflight: true, headers, isSigned, found });
  expect(preflight).toEqual({ status: 204, headers: { ...ALWAYS, ...cors }, body: '' });
  const event = await send({ headers, isSigned, found });
  expect(event).toMatchObject({ status: 200, headers: { ...ALWAYS, ...JSON_TYPE, ...cors } });
});

test.each<[string, boolean, readonly string[]]>([
  ['a page that was not named, unsigned', false, ['https://app.example']],
  ['a page that was not named, signed', true, ['https://app.example']],
  ['any page if none was named, unsigned', false, []],
])('%s, may not send', async (_, isSigned, origins) => {
  const headers = { ...JSON_TYPE, host: '127.0.0.1:8228', origin: PAGE };
  for (const isPreflight of [true, false]) {
    const reply = await send({ isPreflight, headers, isSigned, found: { origins: () => origins } });
    expect(reply).toMatchObject({ status: 403, headers: PROBLEM });
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('a forged URL does not tell which pages were named', async () => {
  const headers = { ...JSON_TYPE, host: 'h', origin: 'https://evil.example' };
  const found = { verdict: 'forged', origins: () => [PAGE] } as const;
  expect(await send({ headers, found, isSigned: true })).toMatchObject({ status: 404 });
  expect(await send({ headers, found, isSigned: true, isPreflight: true })).toMatchObject({ status: 204 });
});

test.each([
  ['http://127.0.0.1:8228', '127.0.0.1:8228', 200],
  ['https://MYSERVER.example', 'myserver.example', 200],
  ['null', '127.0.0.1:8228', 403],
  ['http://127.0.0.1:8228', undefined, 403],
])('a page of %s at the host %s gets %i', async (origin, host, status) => {
  expect(await send({ headers: { ...JSON_TYPE, origin, host } })).toMatchObject({ status });
});

test('a store that is down asks the page to try again, and a bug says nothing of the inside', async () => {
  const down = new BeckonError('store_unavailable', 'No connection.');
  expect(await send({ found: { take: () => Promise.reject(down) } })).toMatchObject({
    status: 503,
    headers: { ...PROBLEM, 'retry-after': '1' },
    failure: down,
  });
  const bug = new Error('a secret');
  const reply = await send({ found: { take: () => Promise.reject(bug) } });
  expect(reply).toMatchObject({ status: 500, failure: bug });
  expect(reply.body).not.toContain('a secret');
});

test('the proof is read from the query', () => {
  expect(readProof('/callback/a?expires=1&signature=x')).toEqual({ expires: '1', signature: 'x' });
  expect(readProof('/callback/a')).toEqual({ expires: null, signature: null });
});
