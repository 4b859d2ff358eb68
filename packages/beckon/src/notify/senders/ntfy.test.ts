import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Notice, NoticeSender } from '../../core/notify.ts';
import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { createNotice, createSettledNotice } from '../../testing/harness/notices.ts';
import { type KeptMessage, startNtfy, type TestNtfy } from '../../testing/harness/ntfy-server.ts';
import { after, createApproval, createDestination, createQuestion } from '../../testing/suites/samples.ts';
import { createGuardedFetch, type GuardedFetch } from '../guarded-fetch.ts';
import { toNoticeWords } from '../notice-words.ts';
import { readReply, toReplyTopic } from '../reply-token.ts';
import { createNtfySender } from './ntfy.ts';

const SECRET = 'a secret';
const { signal } = new AbortController();

describe('ntfy', () => {
  let ntfy: TestNtfy;
  let sender: NoticeSender;
  let guarded: GuardedFetch;
  const clock = new FakeClock('2026-01-01T00:00:00.000Z');

  beforeEach(async () => {
    ntfy = await startNtfy();
    guarded = createGuardedFetch({ allow: ['127.0.0.1'] });
    sender = createNtfySender({ guarded, secret: SECRET, clock });
  });
  afterEach(async () => {
    await guarded.close();
    await ntfy.close();
  });

  const toDestination = (content: 'link' | 'headline' | 'full', secret: object = {}) =>
    createDestination({ id: 'dst_1', content, secret: { server: ntfy.url, topic: 'adas-topic', ...secret } });

  const send = async (notice: Notice): Promise<KeptMessage> => {
    expect(await sender.send(notice, signal)).toEqual({ result: 'sent' });
    return ntfy.kept.at(-1) as KeptMessage;
  };

  test('a link alone says that an agent needs somebody, and where', async () => {
    const interaction = createApproval('rm -rf /srv/secret-project');
    const message = await send(createNotice(toDestination('link'), interaction));
    expect(message).toEqual({
      id: expect.any(String),
      time: expect.any(Number),
      event: 'message',
      topic: 'adas-topic',
      title: 'An agent needs you',
      message: 'Open the link to see its request and to answer.',
      priority: 3,
      tags: ['bell'],
      click: `https://beckon.example.com/i/${interaction.id}`,
      sequence_id: 'topic1',
    });
  });

  test('a headline says who asks for what, and has buttons for what is routine', async () => {
    const message = await send(
      createNotice(toDestination('headline'), createApproval('npm test', { askedBy: 'robin' })),
    );
    expect(message).toMatchObject({ title: 'Approval from robin', message: 'npm test', priority: 3 });
    expect(message.actions?.map(({ label }) => label)).toEqual(['Deny', 'Allow']);
  });

  test('beside buttons stands what they decide, not what the agent says of it', async () => {
    const request = { tool: 'Bash', input: { command: 'npm test', description: 'Harmless' }, description: 'Harmless' };
    const message = await send(createNotice(toDestination('headline'), createApproval('', { request })));
    expect([message.message, message.actions?.length]).toEqual(['npm test', 2]);
  });

  test('everything is the whole request, and where it comes from', async () => {
    const context = { project: 'webshop', branch: 'main' };
    const request = { tool: 'Bash', input: { command: 'npm test\nnpm run lint', timeout: 5 }, description: 'Checks' };
    const message = await send(createNotice(toDestination('full'), createApproval('', { request, context })));
    expect(message.message).toBe('webshop · main\n\nChecks\n\nnpm test\nnpm run lint\n\n{\n  "timeout": 5\n}');
  });

  test('what needs care rings louder, and has no buttons', async () => {
    const message = await send(createNotice(toDestination('headline'), createApproval('git push --force origin main')));
    expect(message).toMatchObject({ priority: 5, tags: ['rotating_light'] });
    expect(message.title).toMatch(/^⚠ Dangerous: Approval from /);
    expect(message).not.toHaveProperty('actions');
  });

  test.each(['reminded', 'escalated', 'expiring'] as const)('a request that is %s says so', async (what) => {
    const titles = { reminded: /^Still waiting: /, escalated: /^Passed on to you: /, expiring: /^Expires soon: / };
    const message = await send(createNotice(toDestination('headline'), undefined, { what }));
    expect(message.title).toMatch(titles[what]);
    expect(message.priority).toBe(4);
    const link = await send(createNotice(toDestination('link'), undefined, { what }));
    expect(link.message).not.toBe('Open the link to see its request and to answer.');
  });

  test('a digest counts, and lists headlines only where they may be told', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('link'));
    const digest = {
      what: 'digest',
      count: 12,
      headlines: Array.from({ length: 8 }, (_, n) => `npm run job-${n}`),
    } as const;
    expect(await send({ ...rest, ...digest })).toMatchObject({
      title: '12 requests need you',
      message: 'Open the link to see them and to answer.',
    });
    const told = await send({ ...rest, ...digest, destination: toDestination('headline') });
    expect(told.message).toMatch(/^• npm run job-0\n.*\n.*\n.*\n• npm run job-4\n… and 7 more$/);
  });

  test('a digest that nothing is left of goes away', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('link'));
    await send({ ...rest, what: 'digest', count: 12, headlines: [] });
    await send({ ...rest, what: 'digest', count: 0, headlines: [] });
    expect(ntfy.shown('adas-topic')).toEqual([]);
  });

  test('a test says that it is one', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('link'));
    expect((await send({ ...rest, what: 'test' })).title).toBe('A test from Beckon');
  });

  test('a proof carries its code', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('link'));
    expect((await send({ ...rest, what: 'proof', code: '493027' })).message).toContain('493027');
  });

  test('when a request has ended, its notification goes away', async () => {
    const destination = toDestination('headline');
    const interaction = createApproval('npm test');
    await send(createNotice(destination, interaction));
    expect(ntfy.shown('adas-topic')).toHaveLength(1);
    await send(createSettledNotice(destination, { ...interaction, status: 'cancelled', settledAt: after(10_000) }));
    expect(ntfy.shown('adas-topic')).toEqual([]);
    expect(ntfy.requests).toEqual(['POST /', 'PUT /adas-topic/topic1/clear']);
  });

  test('a reminder is a message of its own, so phones ring again, and goes away with the first', async () => {
    const destination = toDestination('headline');
    const interaction = createApproval('npm test');
    for (const what of ['asked', 'reminded'] as const) await send(createNotice(destination, interaction, { what }));
    expect(ntfy.shown('adas-topic')).toHaveLength(2);
    await send(createSettledNotice(destination, { ...interaction, status: 'cancelled', settledAt: after(60_000) }));
    expect(ntfy.shown('adas-topic')).toEqual([]);
  });

  test('on a server that cannot take a notification away it stays, and nothing fails', async () => {
    ntfy.isOld = true;
    const destination = toDestination('headline');
    await send(createNotice(destination));
    expect(await sender.send(createSettledNotice(destination, createApproval('x')), signal)).toEqual({
      result: 'sent',
    });
    expect(ntfy.shown('adas-topic')).toHaveLength(1);
  });

  describe('buttons', () => {
    const labelsOf = async (interaction: Interaction, content: 'headline' | 'full' = 'full'): Promise<string[]> => {
      const { actions = [] } = await send(createNotice(toDestination(content), interaction));
      return actions.map(({ label }) => label);
    };
    const question = (options: string[], more: Partial<InteractionOf<'question'>['request']> = {}) =>
      createQuestion({ request: { question: 'Which?', options: options.map((label) => ({ label })), ...more } });

    test('post a token of their own into the secret reply topic', async () => {
      const interaction = createApproval('npm test');
      const { actions = [] } = await send(createNotice(toDestination('headline'), interaction));
      for (const { action, url, method, headers, clear } of actions) {
        expect([action, method, clear, headers]).toEqual(['http', 'POST', true, { Firebase: 'no' }]);
        expect(url).toBe(`${ntfy.url}/${toReplyTopic(SECRET, 'dst_1')}`);
      }
      const expiresAt = Date.parse('2026-01-01T01:00:00.000Z') / 1000;
      const reply = { destination: 'dst_1', interaction: interaction.id, expiresAt };
      expect(actions.map(({ body }) => readReply(SECRET, body))).toEqual([
        { ...reply, choice: 'deny' },
        { ...reply, choice: 'allow' },
      ]);
    });

    test('outlive no day', async () => {
      const notice = createNotice(toDestination('headline'), undefined, { ttlSeconds: 9_999_999 });
      const [action] = (await send(notice)).actions ?? [];
      const day = Date.parse('2026-01-02T00:00:00.000Z') / 1000;
      expect(readReply(SECRET, action?.body ?? '')?.expiresAt).toBe(day);
    });

    test('are for questions with up to three options', async () => {
      expect(await labelsOf(question(['Yes', 'No', 'Later']))).toEqual(['Yes', 'No', 'Later']);
      expect(await labelsOf(question(['Yes', 'No', 'Later', 'Never']))).toEqual([]);
      expect(await labelsOf(question([]))).toEqual([]);
      expect(await labelsOf(question(['Yes', 'No'], { multiSelect: true }))).toEqual([]);
    });

    test.each(['plan_review', 'form', 'component'] as const)('are not for a %s', async (kind) => {
      const requests = {
        plan_review: { plan: '# Plan', toolInput: {} },
        form: { message: 'Who?', schema: {} },
        component: { components: [] },
      };
      expect(await labelsOf({ ...createQuestion(), kind, request: requests[kind] } as Interaction)).toEqual([]);
    });

    test('are missing where the person cannot read all of what they decide about', async () => {
      expect(await labelsOf(createApproval(`echo ${'a'.repeat(3000)}`))).toEqual([]);
      expect(await labelsOf(createApproval(`echo ${'a'.repeat(300)}`), 'headline')).toEqual([]);
      expect(await labelsOf(createApproval(`echo ${'a'.repeat(100)}`), 'headline')).toEqual(['Deny', 'Allow']);
      // Whoever allows a change of a file looks at the change.
      const edit = { tool: 'Write', input: { file_path: '/home/ada/a.ts', content: 'x' } };
      expect(await labelsOf(createApproval('', { request: edit }), 'headline')).toEqual([]);
      // Something is masked, so what would run is not what is shown.
      const masked = `curl -H "Authorization: Bearer ghp_${'a1'.repeat(18)}" https://api.github.com/user`;
      expect(await labelsOf(createApproval(masked))).toEqual([]);
      expect(await labelsOf(question(['x'.repeat(50), 'y']))).toEqual([]);
      // Two labels that read alike.
      expect(await labelsOf(question(['Yes', 'Yes ']))).toEqual([]);
    });

    test('are missing with a link alone', async () => {
      expect((await send(createNotice(toDestination('link')))).actions).toBeUndefined();
    });
  });

  describe('what leaves', () => {
    const Hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        'ghp_0123456789012345678901234567890123456',
        '\u202egnp.exe',
        '"},"x":"',
        '\r\nX-Title: x',
        '\u0000',
      ),
    );

    test('with a link alone, nothing depends on the request but its address', async () => {
      const plain = createNotice(toDestination('link'), createApproval('npm test', { id: 'int_1' }));
      const expected = toNoticeWords(plain, 1800);
      const { id: _, time: __, ...expectedMessage } = await send(plain);
      await fc.assert(
        fc.asyncProperty(Hostile, Hostile, Hostile, async (one, two, three) => {
          const context = { project: one, branch: two, agent: three, title: one, message: two };
          const interactions = [
            createApproval('', {
              request: { tool: one || 'x', input: { command: two, file_path: three }, description: three },
            }),
            createQuestion({ request: { question: one || 'x', header: two, options: [{ label: three || 'x' }] } }),
          ].map((interaction) => ({ ...interaction, id: 'int_1', context, askedBy: two, metadata: { agent: one } }));
          for (const interaction of interactions) {
            const notice = createNotice(toDestination('link'), interaction);
            expect(toNoticeWords(notice, 1800)).toEqual(expected);
            const { id: _, time: __, ...message } = await send(notice);
            expect(message).toEqual(expectedMessage);
          }
        }),
        { numRuns: 60 },
      );
    });

    test('with everything, hidden characters are marked, secrets are masked, and the server accepts it', async () => {
      await fc.assert(
        fc.asyncProperty(Hostile, Hostile, async (one, two) => {
          const secret = `ghp_${'a1'.repeat(18)}`;
          const command = `echo ${one} TOKEN=${secret} ${two}`;
          const message = await send(createNotice(toDestination('full'), createApproval(command, { askedBy: one })));
          const text = `${message.title}${message.message}`;
          expect(text).not.toContain(secret);
          expect(text).not.toMatch(/[\p{Bidi_Control}\u200b]|(?![\t\n\r])\p{Cc}/u);
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('a server that does not do it', () => {
    const fail = (destination = toDestination('link')) => sender.send(createNotice(destination), signal);

    test.each([
      [429, { 'retry-after': '7' }, { result: 'failed', retryAfterMs: 7000 }],
      [429, {}, { result: 'failed', retryAfterMs: 60_000 }],
      [500, {}, { result: 'failed', retryAfterMs: 0 }],
      [503, { 'retry-after': '90' }, { result: 'failed', retryAfterMs: 90_000 }],
      [404, {}, { result: 'dead' }],
      [400, {}, { result: 'dead' }],
      [301, { location: 'http://169.254.169.254/' }, { result: 'dead' }],
    ] as const)('with %i and %j', async (status, headers, expected) => {
      ntfy.publishing = { status, headers };
      expect(await fail()).toMatchObject(expected);
    });

    test('because of the token says so, and never shows the token', async () => {
      ntfy.token = 'tk_right';
      expect(await fail(toDestination('link', { token: 'tk_wrong' }))).toEqual({
        result: 'refused',
        error: 'The ntfy server does not accept the token, or guards the topic (HTTP 403: forbidden).',
      });
      ntfy.token = undefined;
      ntfy.publishing = { status: 400, body: '{"error":"got tk_wrong"}' };
      expect(await fail(toDestination('link', { token: 'tk_wrong' }))).toMatchObject({
        error: 'The ntfy server says HTTP 400: got (secret).',
      });
    });

    test('because nobody listens there fails, and is tried again', async () => {
      await ntfy.close();
      expect(await fail()).toMatchObject({ result: 'failed', error: expect.stringContaining('ECONNREFUSED') });
      ntfy = await startNtfy();
    });

    test('because it is inside the network reaches nothing', async () => {
      const strict = createGuardedFetch({ allow: [] });
      const inside = createNtfySender({ guarded: strict, secret: SECRET, clock });
      expect(await inside.send(createNotice(toDestination('link')), signal)).toMatchObject({
        result: 'failed',
        error: expect.stringContaining('127.0.0.1 is inside the network'),
      });
      expect(ntfy.requests).toEqual([]);
      await strict.close();
    });

    test('because it says nothing ends with the attempt', async () => {
      ntfy.isSilent = true;
      const aborting = new AbortController();
      const sending = sender.send(createNotice(toDestination('link')), aborting.signal);
      await expect.poll(() => ntfy.requests).toHaveLength(1);
      aborting.abort();
      expect(await sending).toMatchObject({ result: 'failed', retryAfterMs: 0 });
    });
  });
});
