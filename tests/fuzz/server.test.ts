import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '../../packages/beckon/src/protocol/errors.ts';
import { createTestApp, type TestApp } from '../../packages/beckon/src/testing/harness/server/test-app.ts';
import { chooseSeed } from '../harness/random.ts';
import { repeat, soakTimeout } from '../harness/soak.ts';
import { within } from '../harness/within.ts';
import { breakText, sendBytes, toText } from './raw-http.ts';
import { createRequests, type FuzzRequest } from './requests.ts';

const IN_PROCESS = repeat(6000);
const OVER_SOCKETS = repeat(1000);
const BATCH = 100;

const seed = chooseSeed();
let server: TestApp;
let port: number;
let requests: fc.Arbitrary<FuzzRequest>;
let ids: string[];
const recent: string[] = [];
/** How many replies there were of 2xx, 3xx and 4xx. */
const families = new Map<number, number>();
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  server = await createTestApp({ level: 'warn', times: { firstRefusalMs: 0, longestRefusalMs: 0 } });
  port = Number(new URL(await server.listen()).port);
  const { paths } = (await server.send('admin', 'GET', '/openapi.json')).body;
  requests = createRequests(
    Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    ),
  );
  ids = [];
  const asks: object[] = [
    { kind: 'question', request: { question: 'q', options: [{ label: 'yes' }, { label: 'no' }], multiSelect: true } },
    { kind: 'plan_review', request: { plan: '# Plan' } },
    { kind: 'approval', request: { tool: 'Bash' } },
    { kind: 'form', request: { message: 'm', schema: { type: 'object', properties: { name: { type: 'string' } } } } },
    { kind: 'component', request: { components: [] } },
  ];
  const traps = [
    { $ref: '#' },
    { $dynamicRef: '#' },
    { properties: { a: { allOf: [{ $ref: '#' }] } } },
    { pattern: '(a+)+$' },
  ];
  for (const schema of traps) asks.push({ kind: 'form', request: { message: 'm', schema } });
  for (let copy = 0; copy < 8; copy += 1) {
    for (const ask of asks) ids.push((await server.send('agent', 'POST', '/v1/interactions', ask)).body.id);
  }
});
afterAll(async () => {
  await server.dispose();
  process.off('unhandledRejection', onUnhandled);
});

/** One of those that were there at first, or one that a generated request asked. */
function pickId(pick: number): string {
  return (pick % 2 === 0 ? recent[pick % 200] : undefined) ?? ids[pick % ids.length] ?? '';
}

/** Puts in what is only known here: the ids and the tokens. */
function complete(request: FuzzRequest): FuzzRequest {
  const token =
    request.token === 'wrong' ? 'bkn_0' : request.token === 'none' ? undefined : server.tokens[request.token];
  const hasType = request.body !== undefined && !('content-type' in request.headers);
  return {
    ...request,
    url: request.url.replace('ID', pickId(request.pick)),
    headers: {
      ...(hasType && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...request.headers,
    },
  };
}

function describeRequest({ method, url, headers, body }: FuzzRequest): string {
  return `${method} ${url} ${JSON.stringify(headers)} ${String(body).slice(0, 2000)}`;
}

async function inject(request: FuzzRequest): Promise<string | null> {
  const { method, headers, body } = request;
  // A stream that is let in does not end, so it is asked to begin where no stream can.
  const isStream = request.url.startsWith('/v1/events');
  const url = isStream ? `${request.url}${request.url.includes('?') ? '&' : '?'}after=x` : request.url;
  // Only a socket can carry an address that is none.
  if (url.startsWith('//') || !URL.canParse(url, 'http://localhost')) return sendOverSocket(request);
  const reply = await within(
    describeRequest(request),
    server.app.inject({ method: method as 'GET', url, headers, ...(body !== undefined && { payload: body }) }),
  );
  const family = Math.floor(reply.statusCode / 100);
  families.set(family, (families.get(family) ?? 0) + 1);
  if (reply.statusCode === 201) recent[request.pick % 200] = String(reply.json().id);
  const type = String(reply.headers['content-type']);
  // MCP has errors of its own, once the token is known.
  const isMcp =
    request.url.startsWith('/mcp') && type.startsWith('application/json') && reply.body.includes('"jsonrpc"');
  return isMcp && reply.statusCode < 500 ? null : judge(reply.statusCode, type, reply.body);
}

async function sendOverSocket(request: FuzzRequest, damage = (bytes: Buffer): Buffer => bytes): Promise<string | null> {
  const reply = await sendBytes(port, damage(toText(request)));
  if (reply === null) return 'The connection did not end';
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1] ?? 400);
  return status < 500 && (reply === '' || reply.startsWith('HTTP/1.1 ')) ? null : reply.slice(0, 500);
}

/** What is wrong with a reply; `null` where nothing is. */
function judge(status: number, type: string, body: string): string | null {
  if (status < 200 || status >= 500) return `status ${status}: ${body.slice(0, 300)}`;
  if (status < 400 || body === '') return null;
  if (!type.startsWith('application/problem+json')) return `status ${status} with the type ${type}`;
  const problem = JSON.parse(body);
  return Object.hasOwn(ERROR_CATALOGUE, problem.code) && problem.status === status ? null : `status ${status}: ${body}`;
}

/** Runs `count` requests, `BATCH` of them at a time, and gives what went wrong. */
async function run(
  count: number,
  send: (request: FuzzRequest) => Promise<string | null>,
  shift = 0,
): Promise<string[]> {
  const failures: string[] = [];
  for (let batch = 0; batch * BATCH < count; batch += 1) {
    const sample = fc.sample(requests, { seed: seed + shift + batch, numRuns: BATCH });
    await Promise.all(
      sample.map(async (sampled) => {
        const request = complete(sampled);
        const failure = await send(request);
        if (failure !== null) failures.push(`${failure}\n  ${describeRequest(request)}`);
      }),
    );
  }
  return failures;
}

describe(`a server that is sent anything (BECKON_SEED=${seed})`, () => {
  test(
    `answers ${IN_PROCESS} requests with 2xx, 3xx or 4xx, and every refusal is a problem of the catalogue`,
    async () => {
      const failures = await run(IN_PROCESS, inject);
      expect({ seed, failures: failures.slice(0, 5) }).toEqual({ seed, failures: [] });
      // They are neither all nonsense nor all fine.
      expect(families.get(2)).toBeGreaterThan(IN_PROCESS / 10);
      expect(families.get(4)).toBeGreaterThan(IN_PROCESS / 10);
    },
    soakTimeout(120_000),
  );

  test(
    `answers or ends ${OVER_SOCKETS} connections with whole, broken and lying HTTP`,
    async () => {
      const failures = await run(
        OVER_SOCKETS,
        (request) => sendOverSocket(request, (bytes) => breakText(bytes, request.pick)),
        1_000_000,
      );
      expect({ seed, failures: failures.slice(0, 5) }).toEqual({ seed, failures: [] });
    },
    soakTimeout(120_000),
  );

  test('is as healthy afterwards as before: nothing failed inside, and it asks and answers', async () => {
    console.log(`server: ${JSON.stringify({ requests: IN_PROCESS, connections: OVER_SOCKETS })}`);
    expect(unhandled).toEqual([]);
    expect(server.logs.filter((line) => JSON.parse(line).level >= 50).slice(0, 3)).toEqual([]);
    expect((await server.inject({ url: '/readyz' })).body).toEqual({ status: 'ready' });
    const ask = { kind: 'question', request: { question: 'Still there?' }, chatId: 'afterwards' };
    const { id } = (await server.send('agent', 'POST', '/v1/interactions', ask)).body;
    const answered = await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'yes' } });
    expect(answered).toMatchObject({ status: 200, body: { interaction: { answer: { text: 'yes' } } } });
    const { text } = await server.send('admin', 'GET', '/metrics');
    expect(text).toMatch(/^beckon_waits_held 0$/m);
  });
});
