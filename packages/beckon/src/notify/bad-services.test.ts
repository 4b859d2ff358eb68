import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DestinationRecord } from '../core/notify.ts';
import { startNtfy, type TestNtfy } from '../testing/harness/ntfy-server.ts';
import { startSmtp, type TestSmtp } from '../testing/harness/smtp-server.ts';
import { startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { useNotify } from '../testing/harness/use-notify.ts';
import { until } from '../testing/suites/until.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import type { Notify } from './notify.ts';
import { createEmailSender } from './senders/email.ts';
import { createNtfySender } from './senders/ntfy.ts';
import { createWebhookSender } from './senders/webhook.ts';
import { parseSmtpUrl } from './smtp-url.ts';

// With the real senders, over real connections, to services that have a bad day.

const HOUR_MS = 3_600_000;
const bench = useNotify();
let guarded: GuardedFetch;
let notify: Notify;

afterEach(async () => {
  await notify.stop();
  await guarded.close();
});

describe('a mail server that hangs', () => {
  let smtp: TestSmtp;
  let ntfy: TestNtfy;

  beforeEach(async () => {
    smtp = await startSmtp();
    ntfy = await startNtfy();
    guarded = createGuardedFetch({ allow: ['127.0.0.1'] });
    notify = open({ timeoutMs: 300 });
  });
  afterEach(async () => {
    await smtp.close();
    await ntfy.close();
  });

  function open(patience: { timeoutMs?: number } = {}): Notify {
    const email = createEmailSender({
      server: parseSmtpUrl(`smtp://127.0.0.1:${smtp.port}`),
      from: 'Beckon <beckon@example.com>',
      logins: { createAnswerCode: async () => null },
      toLink: (path) => `https://beckon.example${path}`,
      ...patience,
    });
    const senders = { email, ntfy: createNtfySender({ guarded, secret: 'a secret', clock: bench.clock }) };
    return bench.open(bench.store, { senders });
  }

  test('holds up nobody who is told otherwise, and each mail arrives once when it works again', async () => {
    const mails = 30;
    for (const name of ['bob', 'eve']) {
      await bench.store.tokens.add({ id: name, name, role: 'person', hash: 'h', createdAt: bench.inMs(0) });
    }
    for (let count = 0; count < mails; count += 1) {
      const owner = count % 2 === 0 ? 'bob' : 'eve';
      await bench.add({ kind: 'email', owner, secret: { to: `${owner}${count}@example.com` } });
    }
    await bench.add({ secret: { server: ntfy.url, topic: 'adas-topic' } });
    smtp.faults = { GREETING: 'hang' };
    await bench.ask('int_1');
    const ticking = notify.tick();
    await until(() => expect(ntfy.kept).toHaveLength(1));
    expect(smtp.mails).toEqual([]);
    await ticking;
    const problems = (await bench.store.destinations.list()).filter(({ problem }) => problem !== undefined);
    expect(problems).toHaveLength(mails);
    expect(problems[0]?.problem?.error).toBe('The mail server took more than 0.3 s.');
    await until(() => expect(smtp.connections).toBe(0));
    smtp.faults = {};
    bench.clock.skip(HOUR_MS);
    // With the patience that a daemon has: this machine may be slow.
    const patient = open();
    await patient.tick();
    await patient.stop();
    const reached = smtp.mails.flatMap(({ to }) => to);
    expect(reached).toHaveLength(mails);
    expect(new Set(reached).size).toBe(mails);
    expect(ntfy.kept).toHaveLength(1);
  });
});

describe('a name server that lies', () => {
  /** The address of the receiver stands for one outside. All others are inside the network. */
  let receiver: TestBackend;
  let answer: () => Promise<string[]>;
  let webhook: DestinationRecord;

  beforeEach(async () => {
    receiver = await startBackend();
    guarded = createGuardedFetch({ allow: ['127.0.0.1'], resolve: () => answer() });
    notify = bench.open(bench.store, { senders: { webhook: createWebhookSender({ guarded, clock: bench.clock }) } });
    webhook = await bench.add({
      kind: 'webhook',
      secret: {
        url: `http://hooks.example:${receiver.port}/`,
        secrets: [{ secret: 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtMQ==' }],
      },
    });
  });
  afterEach(() => receiver.close());

  test.each<[string, () => Promise<string[]>, string]>([
    ['names an address inside the network', async () => ['169.254.169.254'], 'is inside the network'],
    ['hides one among others', async () => ['127.0.0.1', '10.0.0.7'], 'is inside the network'],
    ['knows no such name', () => Promise.reject(new Error('queryA ENOTFOUND hooks.example')), 'cannot be looked up'],
    ['says nothing', () => Promise.reject(new Error('queryA ETIMEOUT hooks.example')), 'cannot be looked up'],
  ])('and %s reaches nothing; the event waits, and arrives once when it tells the truth', async (_, lie, error) => {
    answer = lie;
    await bench.ask('int_1');
    await notify.tick();
    expect(receiver.connections).toBe(0);
    expect((await bench.store.destinations.find(webhook.id))?.problem?.error).toContain(error);
    expect((await bench.store.destinations.counts()).get(webhook.id)).toEqual({ waiting: 1, dead: 0 });
    answer = async () => ['127.0.0.1'];
    bench.clock.skip(HOUR_MS);
    await notify.tick();
    expect(receiver.received).toMatchObject([{ body: { type: 'interaction.requested' } }]);
  });
});
