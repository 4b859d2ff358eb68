import { expect, test } from 'vitest';
import { parseSmtpUrl } from './smtp-url.ts';

test.each([
  ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, tls: 'implicit' }],
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required' }],
  ['smtp://mail.example.com:25/', { host: 'mail.example.com', port: 25, tls: 'required' }],
  ['smtp://relay.internal:25?tls=off', { host: 'relay.internal', port: 25, tls: 'off' }],
  ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'off' }],
  ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'off' }],
  [
    'smtps://ada%40example.com:p%25ss%3Aw%40rd@mail.example.com:4650',
    { host: 'mail.example.com', port: 4650, tls: 'implicit', auth: { user: 'ada@example.com', pass: 'p%ss:w@rd' } },
  ],
  ['smtp://a:b@localhost', { host: 'localhost', port: 587, tls: 'off', auth: { user: 'a', pass: 'b' } }],
])('%s', (url, expected) => {
  expect(parseSmtpUrl(url)).toEqual(expected);
});

test.each([
  'mail.example.com',
  'http://user:geheim@mail.example.com',
  'smtp://',
  'smtp://user:geheim@mail.example.com/path',
  'smtp://user:geheim@mail.example.com?secure=false',
  'smtp://user:geheim@mail.example.com#x',
  'smtp://user:geheim@relay.internal?tls=off',
  'smtp://user:geheim%@mail.example.com',
])('%s is refused, and its password is not shown', (url) => {
  const parse = (): unknown => parseSmtpUrl(url);
  expect(parse).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  expect(parse).toThrow(expect.objectContaining({ message: expect.not.stringContaining('geheim') }));
});
