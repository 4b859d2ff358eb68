import { generateKeyPairSync } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PushService } from '../../../../../tests/harness/push-service.ts';
import type { Notice, NoticeResult } from '../../core/notify.ts';
import type { InteractionOf } from '../../protocol/interaction.ts';
import { parse } from '../../protocol/parse.ts';
import { type PushMessage, VapidJwk } from '../../protocol/push.ts';
import { toOneTapText } from '../../risk/one-tap.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { askFor, askToRun } from '../../testing/harness/approvals.ts';
import { createPushBrowser, type PushBrowser } from '../../testing/harness/push-browser.ts';
import { createGuardedFetch, type GuardedFetch } from '../guarded-fetch.ts';
import type { VapidKeys } from '../vapid-keys.ts';
import { createPushSender } from './push.ts';

type Approval = InteractionOf<'approval'>;

const keys = createKeys();
const trusted = getCACertificates('default');
let service: PushService;
let guarded: GuardedFetch;
beforeAll(async () => {
  service = await PushService.open();
  setDefaultCACertificates([...trusted, service.certificate.cert]);
  guarded = createGuardedFetch({ allow: ['127.0.0.1'] });
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await guarded.close();
  await service.close();
});

let browser: PushBrowser;
let endpoint: string;
beforeEach(() => {
  browser = createPushBrowser();
  endpoint = service.subscribe(keys.publicKey);
  service.accepted.length = 0;
  service.refusals.length = 0;
});

describe('what a browser is told', () => {
  test('of a request that two buttons may decide: all of it, and who asks', async () => {
    expect(await send(asked(askToRun('npm test')))).toEqual({ result: 'sent' });
    expect(opened()).toEqual({
      what: 'asked',
      topic: 'topic-1',
      requestId: 'int_1',
      risk: 'routine',
      to: 'ada',
      title: 'npm test',
      body: 'npm test\nApproval from laptop · webshop',
      isOneTap: true,
    });
  });

  test.each<[string, Approval, Notice['what'], string, string]>([
    [
      'what is dangerous',
      askToRun('git push --force origin main'),
      'asked',
      '⚠ Dangerous: git push --force origin main',
      'Approval from laptop · webshop',
    ],
    [
      'a change of a file',
      askFor('Edit', { file_path: '/home/ada/webshop/a.ts', old_string: 'a', new_string: 'b' }),
      'reminded',
      'Edit a.ts',
      'Still waiting for an answer\nApproval from laptop · webshop',
    ],
    [
      'what is passed on',
      askToRun('sudo ls'),
      'escalated',
      '△ Notable: sudo ls',
      'Nobody has answered so far\nApproval from laptop · webshop',
    ],
    [
      'what expires soon, with what would not be seen marked',
      askToRun('rm\u202e -rf x'),
      'expiring',
      '⚠ Dangerous: rm[U+202E] -rf x',
      'Expires soon\nApproval from laptop · webshop',
    ],
  ])('of %s: no buttons', async (_, interaction, what, title, body) => {
    const { assessRisk } = await import('../../risk/assess-risk.ts');
    await send({ ...asked(interaction), what, risk: assessRisk(interaction).level } as Notice);
    expect(opened()).toMatchObject({ what, title, body });
    expect(opened()).not.toHaveProperty('isOneTap');
  });

  test('of a request with a secret in it: the secret is masked, so no button decides', async () => {
    const secret = 'hunter2hunter2';
    const request = askToRun(`npm test -- --password=${secret}`);
    // Its risk and its length would allow it.
    expect(toOneTapText(request)).not.toBeNull();
    await send(asked(request));
    expect(JSON.stringify(opened())).not.toContain(secret);
    expect(opened()).not.toHaveProperty('isOneTap');
    await send({ ...base(), what: 'digest', count: 2, headlines: [`npm test -- --password=${secret}`] });
    expect(opened().body).not.toContain(secret);
  });

  test('without content, as its owner chose: nothing of the request', async () => {
    await send(asked(askToRun('npm test'), { content: 'link' }));
    expect(opened()).toMatchObject({ title: 'An agent needs you', body: '' });
    expect(JSON.stringify(opened())).not.toMatch(/npm|laptop|webshop|isOneTap/);
  });

  test('with everything, as its owner chose: more of a long request', async () => {
    const long = askToRun(`echo ${'word '.repeat(200)}`);
    await send(asked(long, { content: 'full' }));
    const { title, body } = opened();
    expect(title.length).toBeLessThanOrEqual(120);
    expect(body.length).toBeGreaterThan(300);
    expect(opened()).not.toHaveProperty('isOneTap');
  });

  test('when it was answered elsewhere: by whom and where', async () => {
    const answeredBy = { who: 'bob', via: 'terminal', kind: 'person' } as const;
    const ended = { ...askToRun('npm test'), status: 'answered', answer: { decision: 'deny' }, answeredBy } as Approval;
    await send({ ...base(), what: 'settled', interaction: ended });
    expect(opened()).toEqual({
      what: 'settled',
      topic: 'topic-1',
      title: 'Denied by bob in the terminal',
      body: 'npm test',
      requestId: 'int_1',
    });
  });

  test('of many at once: how many, and the first of them', async () => {
    const headlines = ['npm test', 'Edit a.ts', 'Which one?', 'Plan', 'e\u202e', 'f'];
    await send({ ...base(), what: 'digest', count: 12, headlines });
    expect(opened()).toEqual({
      what: 'digest',
      topic: 'topic-1',
      title: '12 requests need you',
      body: '• npm test\n• Edit a.ts\n• Which one?\n• Plan\n• e[U+202E]\n… and 7 more',
    });
    await send({ ...base({ content: 'link' }), what: 'digest', count: 12, headlines });
    expect(opened().body).toBe('');
  });

  test('once none of many is left: that', async () => {
    await send({ ...base(), what: 'digest', count: 0, headlines: [] });
    expect(opened()).toEqual({ what: 'over', topic: 'topic-1', title: 'No request needs you any more', body: '' });
  });

  test('as a test: that it arrives', async () => {
    await send({ ...base(), what: 'test' });
    expect(opened()).toMatchObject({ what: 'test', title: 'A test from Beckon' });
  });

  test('to prove that it is reached: a code to send back', async () => {
    await send({ ...base(), what: 'proof', code: 'secret-code' });
    expect(opened()).toMatchObject({ what: 'proof', destination: 'dst_1', code: 'secret-code' });
  });
});

describe('what the push service sees', () => {
  test('the same size whatever is said, and nothing of what is said', async () => {
    const question = { ...askToRun('x'), kind: 'question', request: { question: 'Ü'.repeat(3000), options: [] } };
    const notices = [asked(askToRun('ls')), asked(question as never), { ...base(), what: 'proof', code: 'c' } as const];
    for (const notice of notices) await send(notice);
    expect(new Set(service.accepted.map(({ body }) => body.length))).toEqual(new Set([2048 + 103]));
    for (const { headers, body } of service.accepted) {
      expect(JSON.stringify(headers) + body.toString('latin1')).not.toMatch(/laptop|webshop|int_1|ada/);
    }
  });

  test('how long to keep it, how urgent it is, and what it replaces', async () => {
    await send(asked(askToRun('ls')));
    await send({ ...base(), what: 'settled', interaction: askToRun('ls'), ttlSeconds: 1e9 });
    await send({ ...asked(askToRun('ls')), ttlSeconds: -1 });
    expect(service.accepted.map(({ headers: { ttl, urgency, topic } }) => ({ ttl, urgency, topic }))).toEqual([
      { ttl: '300', urgency: 'high', topic: 'topic-1' },
      { ttl: '2419200', urgency: 'normal', topic: 'topic-1' },
      { ttl: '0', urgency: 'high', topic: 'topic-1' },
    ]);
  });

  test('where its people can complain: the public address, if there is one', async () => {
    await send(asked(askToRun('ls')));
    await send({ ...asked(askToRun('ls')), url: 'http://localhost:8228/i/int_1' });
    expect(service.accepted.map(readSubject)).toEqual(['https://beckon.example.com', 'mailto:beckon@localhost']);
  });
});

describe('what becomes of it', () => {
  test.each<[string, { status: number; headers?: Record<string, string>; body?: string }, NoticeResult]>([
    ['an unknown browser', { status: 404 }, { result: 'gone', error: 'HTTP 404' }],
    ['a browser that withdrew', { status: 410, body: 'expired' }, { result: 'gone', error: 'HTTP 410: expired' }],
    [
      'too many messages',
      { status: 429, headers: { 'retry-after': '120' } },
      { result: 'failed', error: 'HTTP 429', retryAfterMs: 120_000 },
    ],
    [
      'a service that is down',
      { status: 503, body: '<h1>\n Down </h1>' },
      { result: 'failed', error: 'HTTP 503: <h1>\n Down </h1>', retryAfterMs: 0 },
    ],
    ['a message that it does not want', { status: 400, body: 'no' }, { result: 'dead', error: 'HTTP 400: no' }],
    [
      'a redirect, which is not followed',
      { status: 301, headers: { location: 'http://169.254.169.254/' } },
      { result: 'dead', error: 'HTTP 301: it redirects, and redirects are not followed' },
    ],
  ])('%s', async (_, refusal, result) => {
    service.refusals.push(refusal);
    expect(await send(asked(askToRun('ls')))).toEqual(result);
    expect(service.accepted).toEqual([]);
  });

  test('a subscription that the browser withdrew is gone', async () => {
    service.forget(endpoint);
    expect(await send(asked(askToRun('ls')))).toMatchObject({ result: 'gone' });
  });

  test('a key that is not that of the subscription, or a clock that is wrong, is tried again later', async () => {
    const advice = expect.stringContaining('Check the clock');
    const refused = { result: 'failed', error: advice, retryAfterMs: 600_000 };
    expect(await send(asked(askToRun('ls')), { keys: createKeys() })).toEqual(refused);
    const tomorrow = { ...systemClock, now: () => Date.now() + 2 * 86_400_000 };
    expect(await send(asked(askToRun('ls')), { clock: tomorrow })).toEqual(refused);
    expect(await send(asked(askToRun('ls')))).toEqual({ result: 'sent' });
  });

  test('a service that takes less gets less', async () => {
    service.refusals.push({ status: 413 });
    const long = askToRun(`echo ${'ü'.repeat(500)}`, { id: 'i'.repeat(200) });
    expect(await send(asked(long, { content: 'full', owner: 'o'.repeat(200) }))).toEqual({ result: 'sent' });
    expect(service.accepted.map(({ body }) => body.length)).toEqual([1024 + 103]);
    expect(opened().title).toMatch(/echo ü+…/);
  });

  test('a service that takes nothing is asked twice', async () => {
    service.refusals.push({ status: 413 }, { status: 413 });
    expect(await send(asked(askToRun('ls')))).toMatchObject({ result: 'dead' });
    expect(service.refusals).toEqual([]);
  });

  test.each([
    ['a key that is none', { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'a'.repeat(22) } }],
    ['no key', { keys: {} }],
    ['no address', { endpoint: 'ftp://example.com' }],
  ])('%s: such a browser cannot be told', async (_, broken) => {
    const subscription = { endpoint, keys: browser.keys, ...broken };
    const notice = asked(askToRun('ls'), { secret: { subscription } as never });
    expect(await send(notice)).toMatchObject({ result: 'gone' });
  });

  test('the address of the browser stays secret, whatever the service repeats', async () => {
    const { pathname } = new URL(endpoint);
    service.refusals.push({ status: 503, body: `cannot deliver to ${endpoint} (${pathname})` });
    expect(await send(asked(askToRun('ls')))).toEqual({
      result: 'failed',
      error: 'HTTP 503: cannot deliver to (secret) ((secret))',
      retryAfterMs: 0,
    });
  });

  test('a service that cannot be reached is tried again', async () => {
    const subscription = { endpoint: 'https://127.0.0.1:1/secret-path', keys: browser.keys };
    const result = await send(asked(askToRun('ls'), { secret: { subscription } }));
    expect(result).toMatchObject({ result: 'failed', error: expect.not.stringContaining('secret-path') });
  });

  test('an address inside the network is not reached, even if it was outside when the browser gave it', async () => {
    const outside = createGuardedFetch({ allow: [] });
    const result = await send(asked(askToRun('ls')), { guarded: outside });
    await outside.close();
    expect(result).toMatchObject({ result: 'failed', error: expect.stringContaining('inside the network') });
    expect(service.accepted).toEqual([]);
  });
});

function createKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const jwk = parse(VapidJwk, privateKey.export({ format: 'jwk' }), { what: 'key' });
  const point = [jwk.x, jwk.y].map((half) => Buffer.from(half, 'base64url'));
  return { publicKey: Buffer.concat([Buffer.from([4]), ...point]).toString('base64url'), privateKey: jwk };
}

function base(changes: Partial<Notice['destination']> = {}) {
  return {
    destination: {
      id: 'dst_1',
      kind: 'push',
      owner: 'ada',
      label: 'Chrome',
      target: '127.0.0.1',
      when: { after: 0, evenInSight: false },
      filter: {},
      content: 'headline',
      isOn: true,
      createdAt: '2026-11-17T10:00:00.000Z',
      secret: { subscription: { endpoint, keys: browser.keys } },
      ...changes,
    },
    topic: 'topic-1',
    id: 'notice-1',
    url: 'https://beckon.example.com/i/int_1',
    ttlSeconds: 300,
  } satisfies Omit<Notice, 'what'>;
}

function asked(interaction: Approval, changes: Partial<Notice['destination']> = {}): Notice {
  return { ...base(changes), what: 'asked', interaction, risk: 'routine' };
}

function send(notice: Notice, changes: Partial<Parameters<typeof createPushSender>[0]> = {}): Promise<NoticeResult> {
  const sender = createPushSender({ guarded, keys, clock: systemClock, ...changes });
  return sender.send(notice, new AbortController().signal);
}

/** What the browser reads of the last message. */
function opened(): PushMessage {
  return browser.read(service.accepted.at(-1)?.body ?? Buffer.alloc(0));
}

function readSubject({ headers }: { headers: { authorization?: string | undefined } }): unknown {
  const content = headers.authorization?.split('.')[1] ?? '';
  return (JSON.parse(Buffer.from(content, 'base64url').toString()) as { sub: unknown }).sub;
}
