import { expect, test } from 'vitest';
import { parseBeckonUrl } from './beckon-url.ts';

test.each([
  ['http://127.0.0.1:8228', 'http://127.0.0.1:8228'],
  ['http://127.0.0.1:8228/', 'http://127.0.0.1:8228'],
  ['https://beckon.example.com', 'https://beckon.example.com'],
  ['https://beckon.example.com/team//', 'https://beckon.example.com/team'],
  ['https://Beckon.Example.com:443/Team/a', 'https://beckon.example.com/Team/a'],
  ['https://[2001:db8::1]:8443/x', 'https://[2001:db8::1]:8443/x'],
  ['https://beckon.example.com/?', 'https://beckon.example.com'],
])('%s is %s', (text, url) => {
  expect(parseBeckonUrl(text)).toBe(url);
});

test.each([
  ['beckon.example.com', 'got "beckon.example.com" (text).'],
  ['localhost:8228', 'got "localhost:8228" (text).'],
  ['ftp://beckon.example.com', 'got "ftp://beckon.example.com" (text).'],
  ['https://a.example/?b', 'got "https://a.example/?b" (text).'],
  ['https://a.example/#b', 'got "https://a.example/#b" (text).'],
  ['https://ada:hunter2@a.example', 'got one with a user name.'],
  ['https://:hunter2@a.example', 'got one with a user name.'],
  [undefined, 'got nothing.'],
  [7, 'got 7 (number).'],
])('%o is refused: %s', (text, message) => {
  expect(() => parseBeckonUrl(text)).toThrow(message);
  expect(() => parseBeckonUrl(text)).toThrow(/^Expected the URL of a Beckon such as/);
  expect(() => parseBeckonUrl(text, 'BECKON_URL')).toThrow(/^Invalid BECKON_URL: expected the URL of a Beckon/);
});
