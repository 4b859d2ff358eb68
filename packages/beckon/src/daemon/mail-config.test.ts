import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { findMail } from './mail-config.ts';

const find = (env: Record<string, string>): ReturnType<typeof findMail> =>
  findMail(loadConfig({ cwd: '/', env: { BECKON_HOME: '/nowhere', ...env } }));

test('mail needs a server and a sender', () => {
  const BECKON_SMTP_URL = 'smtps://user:geheim@mail.example.com';
  const BECKON_MAIL_FROM = 'beckon@example.com';
  expect(find({})).toBeUndefined();
  expect(find({ BECKON_SMTP_URL, BECKON_MAIL_FROM })).toEqual({
    server: { host: 'mail.example.com', port: 465, tls: 'implicit', auth: { user: 'user', pass: 'geheim' } },
    from: BECKON_MAIL_FROM,
  });
  expect(() => find({ BECKON_SMTP_URL })).toThrow(
    'The mail server in BECKON_SMTP_URL needs a sender. Set BECKON_MAIL_FROM',
  );
  expect(() => find({ BECKON_MAIL_FROM })).toThrow('The sender in BECKON_MAIL_FROM needs a mail server.');
});
