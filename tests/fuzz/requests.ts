import fc from 'fast-check';
import { huge, oddText, payloadFor } from './bodies.ts';

/** A request as it is sent, before the ids of what exists are filled in. */
export interface FuzzRequest {
  method: string;
  /** `ID` stands for an interaction that exists. */
  url: string;
  /** Which one: a number to be taken modulo how many there are. */
  pick: number;
  token: 'admin' | 'agent' | 'person' | 'teamAdmin' | 'wrong' | 'none';
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

const CONTENT_TYPES = [
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json;;',
  'APPLICATION/JSON',
  'application/json; a="b',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
  '*/*',
  '/',
  ';',
  'application/json, text/html',
  'application/problem+json',
];
const headerText = fc.stringMatching(/^[ -~]{0,40}$/).map((value) => value.trim());
const oddHeaders = fc.oneof(
  fc.constantFrom(...CONTENT_TYPES).map((type) => ({ 'content-type': type })),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map((encoding) => ({ 'content-encoding': encoding })),
  fc
    .constantFrom('0', '1', '99999999', '1048577', '-1', 'x', '1e3', ' ')
    .map((length) => ({ 'content-length': length })),
  fc.constantFrom('evil.example', 'localhost', '[::1]:1', ':', 'a b', '').map((host) => ({ host })),
  fc.constantFrom('null', 'http://localhost:80', 'https://evil.example', '').map((origin) => ({ origin })),
  headerText.map((value) => ({ authorization: value })),
  headerText.map((value) => ({ 'last-event-id': value })),
  headerText.map((value) => ({
    accept: value,
    'accept-encoding': value,
    'if-none-match': value,
    range: value,
    cookie: value,
  })),
  fc.constant({ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' }),
  fc.constant({ expect: '100-continue' }),
  fc.tuple(fc.stringMatching(/^x-[a-z-]{1,20}$/), headerText).map(([name, value]) => ({ [name]: value })),
  fc.nat(15_000).map((length) => ({ 'x-long': 'a'.repeat(length) })),
);

const queryName = fc.constantFrom(
  'status',
  'kind',
  'chatId',
  'sessionId',
  'after',
  'limit',
  'wait',
  'text',
  'since',
  'decision',
  'person',
  'project',
  'groupId',
  'before',
  'format',
  'until',
  'x',
  '__proto__',
  'status[]',
  'a[b]',
);
const queryValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '200',
    '201',
    '9'.repeat(15),
    '9'.repeat(16),
    '61',
    '2026-01-01',
    'pending',
    'answered',
    'denied',
    'csv',
    'question',
    'default',
    'team',
    'x',
  ),
  oddText.map((value) => encodeURIComponent(value.toWellFormed())),
  fc.stringMatching(/^[!-~]{0,20}$/).map((value) => value.replaceAll('#', '')),
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.tuple(queryName, queryValue).map((pair) => pair.join('=')),
        { maxLength: 4 },
      )
      // A wait that is allowed is held; how that ends is for other tests.
      .map((pairs) => `?${pairs.filter((pair) => !/^wait=([1-9]|[1-5]\d|60)$/.test(pair)).join('&')}`),
  },
);

const pathPart = fc.oneof(
  { weight: 6, arbitrary: fc.constant('ID') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'default',
      'team',
      'int_none',
      '.',
      '..',
      '%',
      '%2e%2e',
      '%ff',
      '%00',
      'a'.repeat(300),
      'a'.repeat(1200),
    ),
  },
  { weight: 2, arbitrary: oddText.map((value) => encodeURIComponent(value.toWellFormed())) },
);
const oddPath = fc.oneof(
  fc.stringMatching(/^\/[!-~]{0,40}$/).map((path) => path.replaceAll(/[?#]/g, '')),
  fc.constantFrom(
    '/',
    '//',
    '/v1',
    '/v1/',
    '/v1//interactions',
    '/v1/interactions/',
    '/%',
    '/v1/ws',
    '/callback/x',
    '/hooks/claude',
    '/*',
    '/v1/interactions;a=b',
  ),
);

/** Requests to the routes of the description, and to places where no route is. */
export function createRequests(routes: readonly { method: string; path: string }[]): fc.Arbitrary<FuzzRequest> {
  const known = fc.constantFrom(...routes);
  const place = fc.oneof(
    { weight: 12, arbitrary: known },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'), oddPath)
        .map(([method, path]) => ({ method, path })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'GET', 'POST'), known)
        .map(([method, { path }]) => ({ method, path })),
    },
  );
  return place.chain(({ method, path }) =>
    fc.record({
      method: fc.constant(method),
      url: fc.tuple(pathPart, query).map(([part, end]) => path.replace(/\{\w+\}/, () => part) + end),
      pick: fc.nat(),
      token: fc.oneof(
        { weight: 14, arbitrary: fc.constant('admin' as const) },
        { weight: 5, arbitrary: fc.constantFrom('agent', 'person', 'teamAdmin') },
        { weight: 1, arbitrary: fc.constantFrom('wrong', 'none') },
      ),
      headers: fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: oddHeaders },
      ) as fc.Arbitrary<Record<string, string>>,
      body:
        method === 'POST' || method === 'PUT' || method === 'PATCH'
          ? fc.oneof({ weight: 200, arbitrary: payloadFor(path) }, { weight: 1, arbitrary: huge })
          : fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: payloadFor(path) }),
    }),
  );
}
