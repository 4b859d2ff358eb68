import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { connectBeckon } from '../client/connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { CLICK, freePort, type PostReply, post } from '../testing/harness/post.ts';
import { createTestApp } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';
import { createCallbackUrls } from './callback-urls.ts';
import { Http } from './http.ts';

const PAGE = 'http://localhost:3000';
const FOREIGN = 'https://evil.example';
const OTHER_CLICK = { action: 'click', data: 'other' };
/** Headers of the connection, not of the reply. */
const CONNECTION_HEADERS = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

/** A server that takes events for callbacks with the id `ada`. */
interface CallbackHost {
  readonly beckon: Beckon;
  /** Opens one that is kept by a Beckon, and gives its URL. */
  openStored(origins?: string[]): Promise<string>;
  /** Opens one whose URL is signed. */
  openSigned(origins?: string[]): Promise<string>;
  /** Opens one whose signed URL has expired. */
  openExpired(): Promise<string>;
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const HOSTS: [name: string, start: () => Promise<CallbackHost>][] = [
  ['the own server of Http', startOwnServer],
  ['the daemon', startDaemon],
];

const CASES: [title: string, send: (host: CallbackHost) => Promise<PostReply>, expected: object][] = [
  ['a good event', async (host) => post(await host.openStored()), { status: 200, body: { result: 'accepted' } }],
  [
    'an event at a signed URL',
    async (host) => post(await host.openSigned()),
    { status: 200, body: { result: 'accepted' } },
  ],
  [
    'a wrong signature',
    async (host) => post(`${await host.openSigned()}x`),
    { status: 404, body: { code: 'interaction_not_found' } },
  ],
  [
    'a wrong signature, from a page that was not named',
    async (host) => post(`${await host.openSigned([PAGE])}x`, CLICK, { headers: { origin: FOREIGN } }),
    { status: 404, body: { code: 'interaction_not_found' } },
  ],
  [
    'an expired URL',
    async (host) => post(await host.openExpired()),
    { status: 410, body: { code: 'answer_late', detail: 'This callback URL has expired. Ask the agent again.' } },
  ],
  [
    'an event from a page that was not named',
    async (host) => post(await host.openStored([PAGE]), CLICK, { headers: { origin: FOREIGN } }),
    { status: 403, body: { code: 'origin_refused' } },
  ],
  [
    'a preflight of a page that was not named',
    async (host) => preflight(await host.openStored([PAGE]), FOREIGN),
    { status: 403, body: { code: 'origin_refused' } },
  ],
  ['a preflight of a named page', async (host) => preflight(await host.openStored([PAGE]), PAGE), { status: 204 }],
  [
    'an event from a named page',
    async (host) => post(await host.openStored([PAGE]), CLICK, { headers: { origin: PAGE } }),
    { status: 200 },
  ],
  [
    'an event from any page at a signed URL whose agent named none',
    async (host) => post(await host.openSigned(), CLICK, { headers: { origin: FOREIGN } }),
    { status: 200 },
  ],
  [
    'a preflight of any page at a signed URL whose agent named none',
    async (host) => preflight(await host.openSigned(), FOREIGN),
    { status: 204 },
  ],
  [
    'a preflight that is not from a browser',
    async (host) => post(await host.openStored(), undefined, { method: 'OPTIONS', body: null }),
    { status: 404, body: { code: 'route_not_found' } },
  ],
  [
    'bad JSON',
    async (host) => post(await host.openStored(), '{"action":'),
    { status: 400, body: { code: 'invalid_input', detail: 'The body is not JSON.' } },
  ],
  [
    'an event without an action',
    async (host) => post(await host.openStored(), { data: 1 }),
    { status: 400, body: { code: 'invalid_input' } },
  ],
  [
    'another type of content',
    async (host) => post(await host.openStored(), CLICK, { headers: { 'content-type': 'text/plain' } }),
    { status: 415, body: { code: 'unsupported_media_type' } },
  ],
  [
    'a repeated event',
    async (host) => {
      const url = await host.openStored();
      await post(url);
      return post(url);
    },
    { status: 200, body: { result: 'repeated' } },
  ],
  [
    'a second, different event',
    async (host) => {
      const url = await host.openStored();
      await post(url);
      return post(url, OTHER_CLICK);
    },
    { status: 409, body: { code: 'answer_lost' } },
  ],
  [
    'an event after the end',
    async (host) => {
      const url = await host.openStored();
      await host.beckon.cancel({ id: 'ada' });
      return post(url);
    },
    { status: 410, body: { code: 'answer_late' } },
  ],
];

test.each(CASES)('%s gets the same reply from both servers', async (_, send, expected) => {
  const replies: object[] = [];
  for (const [, start] of HOSTS) {
    const reply = await send(await start());
    expect(reply).toMatchObject(expected);
    replies.push(toComparable(reply));
  }
  expect(replies[0]).toEqual(replies[1]);
});

test.each(HOSTS)('an event at %s is from somebody, through a callback', async (_, start) => {
  const host = await start();
  await post(await host.openStored());
  const { answer, answeredBy } = (await host.beckon.get('ada')) ?? {};
  expect({ answer, answeredBy }).toEqual({
    answer: CLICK,
    answeredBy: { who: 'somebody', via: 'callback', kind: 'person' },
  });
});

async function startOwnServer(): Promise<CallbackHost> {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-rules-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  const beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  cleanups.push(() => beckon.close());
  const port = await freePort();
  // Beyond loopback only callbacks in memory have a server of their own.
  const openInMemory = async (options: { origins?: string[]; lifetime?: number }): Promise<string> => {
    const callback = new Http({ id: 'ada', port, host: 'myserver.example', ...options });
    cleanups.push(() => callback.close());
    const { pathname, search } = new URL(callback.endpoint());
    return `http://127.0.0.1:${port}${pathname}${search}`;
  };
  return {
    beckon,
    async openStored(origins = []) {
      const callback = new Http({ beckon, id: 'ada', port, origins });
      cleanups.push(() => callback.close());
      await callback.open();
      return callback.endpoint();
    },
    openSigned: (origins = []) => openInMemory({ origins }),
    async openExpired() {
      const url = await openInMemory({ lifetime: 0 });
      const expiresAt = Number(new URL(url).searchParams.get('expires')) * 1000;
      await until(() => expect(Date.now()).toBeGreaterThan(expiresAt));
      return url;
    },
  };
}

async function startDaemon(): Promise<CallbackHost> {
  const callbackUrls = createCallbackUrls({ secret: 'a secret', isExpiring: true });
  const app = await createTestApp({ callbackUrls });
  cleanups.push(() => app.dispose());
  const baseUrl = await app.listen();
  const beckon = connectBeckon(baseUrl, { token: app.tokens.agent });
  cleanups.push(() => beckon.close());
  const open = async (origins: string[] = []): Promise<string> => {
    const callback = new Http({ beckon, id: 'ada', origins });
    await callback.open();
    return callback.endpoint();
  };
  return {
    beckon,
    openStored: open,
    openSigned: open,
    async openExpired() {
      await open();
      const asked = await app.beckon.get('ada');
      if (asked === null) throw new Error('Expected an interaction.');
      return callbackUrls.toUrl(baseUrl, { ...asked, expiresAt: '2020-01-01T00:00:00.000Z' });
    },
  };
}

function preflight(url: string, origin: string): Promise<PostReply> {
  return post(url, undefined, { method: 'OPTIONS', headers: { origin }, body: null });
}

function toComparable({ status, headers, body }: PostReply): object {
  const named = [...headers].filter(([name]) => !CONNECTION_HEADERS.includes(name));
  return { status, body, headers: Object.fromEntries(named) };
}
