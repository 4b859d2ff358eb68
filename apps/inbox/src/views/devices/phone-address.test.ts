import { expect, test } from 'vitest';
import { judgeForPhone, type OwnAddress, toPhoneLink, toPort } from './phone-address.ts';

const HERE: OwnAddress = { url: 'http://127.0.0.1:8228', isSecureContext: true };
const ALL = ['network', 'tls', 'proxy', 'tailscale', 'ssh'];
const SECURE_WAYS = ['tls', 'proxy', 'tailscale', 'ssh'];

test.each([
  'http://127.0.0.1:8228',
  'http://127.1.2.3',
  'http://localhost:8228',
  'https://beckon.localhost',
  'http://[::1]:8228',
  'http://0.0.0.0:8228',
  'http://[fe80::1]:8228',
])('a phone cannot open %s, however secure it is here, and every way out is named', (base) => {
  expect(judgeForPhone(`${base}/login#code`, { url: base, isSecureContext: true })).toEqual({
    reach: 'nowhere',
    isSecure: false,
    ways: ALL,
  });
});

test.each([
  ['http://192.168.1.20:8228', 'network'],
  ['http://10.0.0.7', 'network'],
  ['http://172.31.0.1', 'network'],
  ['http://100.101.2.3:8228', 'network'],
  ['http://[fd12:3456::1]:8228', 'network'],
  ['http://laptop:8228', 'network'],
  ['http://laptop.local:8228', 'network'],
  ['http://beckon.example.com', 'anywhere'],
  ['http://172.32.0.1', 'anywhere'],
  ['http://100.128.0.1', 'anywhere'],
])('at %s a phone logs in, from the %s, but gets no notifications', (base, reach) => {
  expect(judgeForPhone(`${base}/login#code`, HERE)).toEqual({ reach, isSecure: false, ways: SECURE_WAYS });
});

test.each([
  ['https://beckon.example.com/team', 'anywhere'],
  ['https://192.168.1.20:8443', 'network'],
  ['https://laptop.tail1234.ts.net', 'network'],
])('at %s nothing is missing', (base, reach) => {
  expect(judgeForPhone(`${base}/login#code`, HERE)).toEqual({ reach, isSecure: true, ways: [] });
});

test('about its own address the browser is asked, not the scheme', () => {
  const url = 'http://192.168.1.20:8228';
  expect(judgeForPhone(`${url}/login#code`, { url, isSecureContext: true }).isSecure).toBe(true);
  expect(judgeForPhone(`${url}/login#code`, { url, isSecureContext: false }).isSecure).toBe(false);
});

test('for the host of the page its own address counts, with TLS and path; for another what the server says', () => {
  const own = { url: 'https://apps.example.com/beckon', isSecureContext: true };
  expect(toPhoneLink('http://apps.example.com/login#a_b-c', own)).toBe('https://apps.example.com/beckon/login#a_b-c');
  expect(toPhoneLink('https://beckon.example.com/login#abc', own)).toBe('https://beckon.example.com/login#abc');
});

test.each([
  ['http://127.0.0.1:9000/login#a', '9000'],
  ['http://laptop/login#a', '80'],
  ['https://laptop/login#a', '443'],
])('the port of %s is %s', (link, port) => {
  expect(toPort(link)).toBe(port);
});
