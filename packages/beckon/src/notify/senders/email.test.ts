import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnswerCodeInput } from '../../core/account.ts';
import type { DestinationRecord, Notice, NoticeResult } from '../../core/notify.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { createCertificate } from '../../testing/harness/certificate.ts';
import { createNotice, createSettledNotice } from '../../testing/harness/notices.ts';
import { type ReadMail, readMail } from '../../testing/harness/read-mail.ts';
import { startSmtp, type TestSmtp } from '../../testing/harness/smtp-server.ts';
import { createApproval, createDestination, createQuestion } from '../../testing/suites/samples.ts';
import { parseSmtpUrl, type SmtpServer } from '../smtp-url.ts';
import { createEmailSender, type EmailOptions } from './email.ts';

const FROM = 'Beckon <beckon@example.com>';
const LOGIN = { user: 'beckon@example.com', pass: 'geheim/42' };
const trusted = createCertificate('localhost', '127.0.0.1');
const ofAnother = createCertificate('mail.example.org');

describe('e-mail', () => {
  let smtp: TestSmtp;
  let asked: AnswerCodeInput[];
  let code: string | null;
  let authorities: string[];
  const { signal } = new AbortController();

  beforeAll(() => {
    authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, trusted.cert, ofAnother.cert]);
  });
  afterAll(() => setDefaultCACertificates(authorities));
  beforeEach(async () => {
    smtp = await startSmtp();
    asked = [];
    code = 'c0de-of-32-letters';
  });
  afterEach(() => smtp.close());

  const toDestination = (content: 'link' | 'headline' | 'full', changes: Partial<DestinationRecord> = {}) =>
    createDestination({ id: 'dst_1', kind: 'email', content, secret: { to: 'ada@example.com' }, ...changes });

  const createSender = (
    server: SmtpServer = parseSmtpUrl(`smtp://127.0.0.1:${smtp.port}`),
    more: Partial<EmailOptions> = {},
  ) =>
    createEmailSender({
      server,
      from: FROM,
      logins: {
        createAnswerCode: async (input) => {
          asked.push(input);
          return code;
        },
      },
      toLink: (path) => `https://beckon.example.com/team${path}`,
      ...more,
    });

  const attempt = (notice: Notice, server?: SmtpServer, until = signal): Promise<NoticeResult> =>
    createSender(server).send(notice, until);

  const send = async (notice: Notice): Promise<ReadMail> => {
    expect(await attempt(notice)).toEqual({ result: 'sent' });
    return readMail(smtp.mails.at(-1)?.raw ?? '');
  };

  const QUESTION = createQuestion({ id: 'int_1' });

  test('a link alone says that an agent needs somebody, and where', async () => {
    const { headers, text, html, link } = await send(createNotice(toDestination('link'), QUESTION));
    expect(smtp.mails[0]).toMatchObject({ from: 'beckon@example.com', to: ['ada@example.com'] });
    expect(headers['subject']).toMatch(/^An agent needs you \([0-9a-f]{6}\)$/);
    expect(text).toBe(
      [
        'An agent needs you',
        'Open the link to see its request and to answer.',
        'See it and answer:\nhttps://beckon.example.com/team/login#c0de-of-32-letters&to=%2Fi%2Fint_1',
        '-- \nThe link logs one browser in as ada, once, until the request has ended, for 24 hours at most. ' +
          'Do not pass this mail on.',
        'Beckon sends this because you asked it to write to this address. ' +
          'You can change that in Beckon, under Notifications.',
      ].join('\n\n'),
    );
    expect(html).toContain(`<a href="${link.replace('&', '&amp;')}">See it and answer</a>`);
  });

  test('a mail says that a program wrote it, and belongs to the thread of its request', async () => {
    const destination = toDestination('headline');
    const first = await send(createNotice(destination, QUESTION));
    const second = await send(createNotice(destination, QUESTION, { what: 'reminded', id: 'ntc_2' }));
    expect(first.headers).toMatchObject({
      from: FROM,
      to: 'ada@example.com',
      'auto-submitted': 'auto-generated',
      'list-id': 'Beckon <beckon.example.com>',
      'message-id': '<ntc_1@example.com>',
      references: '<topic1.dst_1@example.com>',
    });
    expect(second.headers).toMatchObject({
      'message-id': '<ntc_2@example.com>',
      references: '<topic1.dst_1@example.com>',
      'in-reply-to': '<topic1.dst_1@example.com>',
      subject: `Re: ${first.headers['subject']}`,
    });
    expect(second.text).toMatch(/^Still waiting: Question from /);
  });

  test('a headline is in the subject; everything is in the mail', async () => {
    const request = { tool: 'Bash', input: { command: 'npm test' }, description: 'Runs the tests' };
    const interaction = createApproval('', { request, askedBy: 'robin', context: { project: 'webshop' } });
    const mail = await send(createNotice(toDestination('full'), interaction));
    expect(mail.headers['subject']).toBe('Approval from robin: Runs the tests · npm test');
    expect(mail.text).toContain('Approval from robin\n\nwebshop\n\nRuns the tests\n\nnpm test\n\n');
  });

  test('the mail of a proof has the code, and a link that needs no login', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('link'));
    const mail = await send({ ...rest, what: 'proof', code: '493027' });
    expect(mail.text).toContain('493027 is your code.');
    expect(mail.link).toBe('https://beckon.example.com/team/prove#dst_1.493027');
    expect(asked).toEqual([]);
  });

  test('many requests are one mail with a plain link', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('link'));
    const mail = await send({
      ...rest,
      url: 'https://beckon.example.com/team/',
      what: 'digest',
      count: 12,
      headlines: [],
    });
    expect([mail.headers['subject'], mail.link]).toEqual(['12 requests need you', 'https://beckon.example.com/team/']);
    expect(asked).toEqual([]);
  });

  test('that none of many is left is no mail', async () => {
    const { what: _, interaction: __, risk: ___, ...rest } = createNotice(toDestination('full'));
    expect(await attempt({ ...rest, what: 'digest', count: 0, headlines: [] })).toEqual({ result: 'sent' });
    expect(smtp.commands).toEqual([]);
  });

  test('the login link is made for the owner, their chat and the request', async () => {
    await send(createNotice(toDestination('link', { owner: 'bo', chatId: 'team' }), QUESTION));
    expect(asked).toEqual([{ name: 'bo', chatId: 'team', interaction: QUESTION }]);
  });

  test('somebody who cannot come in gets a plain link', async () => {
    code = null;
    const mail = await send(createNotice(toDestination('link'), QUESTION));
    expect(mail.link).toBe('https://beckon.example.com/i/int_1');
    expect(mail.text).not.toContain('logs one browser in');
  });

  test('that a request has ended is a mail only for those who get everything', async () => {
    const ended: Interaction = {
      ...QUESTION,
      status: 'answered',
      answer: { text: 'SQLite' },
      answeredBy: { who: 'bob', via: 'inbox', kind: 'person' },
    };
    for (const content of ['link', 'headline'] as const) {
      expect(await attempt(createSettledNotice(toDestination(content), ended))).toEqual({ result: 'sent' });
    }
    expect([smtp.mails.length, smtp.commands.length]).toEqual([0, 0]);
    const mail = await send(createSettledNotice(toDestination('full'), ended));
    expect(mail.text).toMatch(/^Answered by bob in the inbox\n\nWhich database\?/);
    expect(mail.headers['references']).toBe('<topic1.dst_1@example.com>');
    expect(asked).toEqual([]);
  });

  describe('what leaves', () => {
    const Hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '\r\nBcc: eve@example.com\r\n\r\n',
        '<img src="https://eve.example/x.png">',
        '\r\n.\r\nMAIL FROM:<eve>',
        '\u202e',
      ),
    );
    /** Everything of a mail but what is new each time. */
    const toRest = (raw: string): string =>
      raw
        .replace(/^Date: .*$/m, '')
        .replaceAll(/--_NmP-[\w-]+/g, '')
        .replaceAll(/_NmP-[\w-]+/g, '');

    test('with a link alone, nothing depends on the request but its address', async () => {
      await send(createNotice(toDestination('link'), QUESTION));
      const expected = toRest(smtp.mails[0]?.raw ?? '');
      await fc.assert(
        fc.asyncProperty(Hostile, Hostile, async (one, two) => {
          const interaction = {
            ...createApproval('', { request: { tool: one || 'x', input: { command: two }, description: one } }),
            id: 'int_1',
            askedBy: one,
            context: { project: two, title: one },
          };
          await send(createNotice(toDestination('link'), interaction));
          expect(toRest(smtp.mails.at(-1)?.raw ?? '')).toBe(expected);
        }),
        { numRuns: 30 },
      );
    });

    test('with everything, hostile texts add no header, no recipient, no second mail and nothing to load', async () => {
      const plain = await send(createNotice(toDestination('full'), createApproval('npm test')));
      await fc.assert(
        fc.asyncProperty(Hostile, Hostile, async (one, two) => {
          const before = smtp.mails.length;
          const interaction = createApproval(`${one}\n${two}`, { askedBy: one, context: { project: two } });
          const mail = await send(createNotice(toDestination('full'), interaction));
          expect(smtp.mails.length).toBe(before + 1);
          expect(smtp.mails.at(-1)?.to).toEqual(['ada@example.com']);
          expect(Object.keys(mail.headers)).toEqual(Object.keys(plain.headers));
          expect(mail.html).not.toMatch(/<(?!\/?(?:!doctype|html|body|p|strong|pre|a|small)\b)/i);
          expect(mail.html.match(/(?:src|href|url)\s*=\s*"/gi)).toHaveLength(1);
          expect(mail.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
        }),
        { numRuns: 30 },
      );
    });
  });

  describe('a server that does not do it', () => {
    const notice = createNotice(toDestination('link'), QUESTION);

    test.each([
      ['refuses the recipient', { RCPT: '550 5.1.1 No such user' }, 'dead', '550 5.1.1 No such user'],
      ['refuses the mail', { MESSAGE: '554 5.7.1 Looks like spam' }, 'dead', 'Looks like spam'],
      ['has no room for the recipient', { RCPT: '452 4.2.2 Mailbox full' }, 'failed', 'Mailbox full'],
      ['has no room for the mail', { MESSAGE: '452 4.3.1 Insufficient storage' }, 'failed', 'Insufficient storage'],
      ['refuses the sender', { MAIL: '550 5.7.1 Not your address' }, 'failed', 'Not your address'],
      ['is shutting down', { GREETING: '421 4.3.2 Closing' }, 'failed', 'Closing'],
      ['hangs up', { DATA: 'close' }, 'failed', ''],
    ] as const)('because it %s', async (_, faults, result, error) => {
      smtp.faults = faults;
      expect(await attempt(notice)).toMatchObject({ result, error: expect.stringContaining(error) });
      smtp.faults = {};
      expect(await attempt(notice)).toEqual({ result: 'sent' });
    });

    test.each(['GREETING', 'EHLO', 'RCPT', 'MESSAGE'] as const)(
      'because it hangs at %s ends with the attempt, and leaves no connection',
      async (place) => {
        smtp.faults = { [place]: 'hang' };
        const aborting = new AbortController();
        const sending = attempt(notice, undefined, aborting.signal);
        const heard = {
          GREETING: () => smtp.connections === 1,
          EHLO: has('EHLO'),
          RCPT: has('RCPT'),
          MESSAGE: has('DATA'),
        };
        await expect.poll(heard[place]).toBe(true);
        aborting.abort(new Error('The mail server took too long'));
        expect(await sending).toEqual({ result: 'failed', error: 'The mail server took too long', retryAfterMs: 0 });
        await expect.poll(() => smtp.connections).toBe(0);
      },
    );

    const has = (verb: string) => () => smtp.commands.some((line) => line.startsWith(verb));

    test('because it hangs for longer than an attempt may take', async () => {
      smtp.faults = { GREETING: 'hang' };
      expect(await createSender(undefined, { timeoutMs: 50 }).send(notice, signal)).toEqual({
        result: 'failed',
        error: 'The mail server took more than 0.05 s.',
        retryAfterMs: 0,
      });
    });

    test('because it rejects an address three times in a row: then somebody must look at it', async () => {
      const sender = createSender();
      const other = { ...notice, destination: toDestination('link', { id: 'dst_2' }) };
      const results = async (...notices: Notice[]): Promise<string[]> => {
        const all = [];
        for (const one of notices) all.push((await sender.send(one, signal)).result);
        return all;
      };
      smtp.faults = { RCPT: '550 5.1.1 No such user' };
      expect(await results(notice, other, notice)).toEqual(['dead', 'dead', 'dead']);
      smtp.faults = {};
      expect(await results(notice)).toEqual(['sent']);
      smtp.faults = { RCPT: '550 5.1.1 No such user' };
      expect(await results(notice, notice, notice)).toEqual(['dead', 'dead', 'refused']);
      expect(await results(other, other)).toEqual(['dead', 'refused']);
    });

    test('because it is not there', async () => {
      await smtp.close();
      expect(await attempt(notice)).toMatchObject({ result: 'failed', error: expect.stringContaining('ECONNREFUSED') });
      smtp = await startSmtp();
    });

    test('because its name leads nowhere', async () => {
      const result = await attempt(notice, parseSmtpUrl('smtp://mail.invalid:587'));
      expect(result).toMatchObject({ result: 'failed', error: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
    });
  });

  describe('TLS', () => {
    const notice = createNotice(toDestination('link'), QUESTION);

    const restart = async (options: Parameters<typeof startSmtp>[0]): Promise<void> => {
      await smtp.close();
      smtp = await startSmtp({ login: LOGIN, ...options });
    };
    // From a URL it is never required on loopback.
    const reach = (tls: SmtpServer['tls']): Promise<NoticeResult> =>
      attempt(notice, { host: 'localhost', port: smtp.port, tls, auth: LOGIN });

    test('from the first byte, with a login', async () => {
      await restart({ certificate: trusted, isImplicit: true });
      expect(await reach('implicit')).toEqual({ result: 'sent' });
      expect(smtp.mails[0]).toMatchObject({ isTls: true, user: LOGIN.user });
    });

    test('begins before the login and the mail', async () => {
      await restart({ certificate: trusted });
      expect(await reach('required')).toEqual({ result: 'sent' });
      expect(smtp.mails[0]).toMatchObject({ isTls: true, user: LOGIN.user });
      expect(smtp.commands.map((line) => line.split(' ')[0]).slice(0, 4)).toEqual(['EHLO', 'STARTTLS', 'EHLO', 'AUTH']);
    });

    test('that is missing ends the attempt before the login and the mail', async () => {
      await restart({});
      expect(await reach('required')).toMatchObject({ result: 'failed', retryAfterMs: 600_000 });
      expect(smtp.commands.map((line) => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
    });

    test.each(['implicit', 'required'] as const)(
      'of another server, which a DNS that lies leads to, gets neither password nor mail (%s)',
      async (tls) => {
        await restart({ certificate: ofAnother, isImplicit: tls === 'implicit' });
        expect(await reach(tls)).toMatchObject({ result: 'failed', error: expect.stringContaining('localhost') });
        expect(smtp.commands.filter((line) => /AUTH|MAIL|DATA/.test(line))).toEqual([]);
      },
    );

    test('with a certificate that nobody vouches for gets neither password nor mail', async () => {
      await restart({ certificate: createCertificate('localhost'), isImplicit: true });
      expect(await reach('implicit')).toMatchObject({ result: 'failed', retryAfterMs: 600_000 });
      expect(smtp.commands).toEqual([]);
    });

    test('of a server that is named by its address must name that address', async () => {
      const reachAddress = (): Promise<NoticeResult> =>
        attempt(notice, { host: '127.0.0.1', port: smtp.port, tls: 'implicit', auth: LOGIN });
      await restart({ certificate: trusted, isImplicit: true });
      expect(await reachAddress()).toEqual({ result: 'sent' });
      await restart({ certificate: ofAnother, isImplicit: true });
      expect(await reachAddress()).toMatchObject({ result: 'failed', error: expect.stringContaining('127.0.0.1') });
      expect(smtp.commands).toEqual([]);
    });

    test('with a wrong password fails until somebody repairs it, and never shows the password', async () => {
      await restart({ certificate: trusted, isImplicit: true, login: { ...LOGIN, pass: 'another' } });
      const result = await reach('implicit');
      expect(result).toMatchObject({ result: 'failed', retryAfterMs: 600_000 });
      expect(JSON.stringify(result)).not.toContain(LOGIN.pass);
      expect(smtp.mails).toEqual([]);
    });
  });
});
