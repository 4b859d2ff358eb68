import { expect, test } from 'vitest';
import { isLoopback, toAddressGroup, toReachable, toUrl } from './address.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s is this machine alone', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'localhost.example.com', '127.example.com', '127.0.0', ''])(
  '%j may be reached by others',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

test.each([
  ['0.0.0.0', 'http://127.0.0.1:8228'],
  ['::', 'http://[::1]:8228'],
  ['[::1]', 'http://[::1]:8228'],
  ['box.example', 'http://box.example:8228'],
])('a client finds what listens on %s at %s', (host, url) => {
  expect(toUrl(toReachable(host), 8228)).toBe(url);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:DB8:0:7::1', '2001:db8:0:7::/64'],
  ['2001:db8::7:0:0:0:9', '2001:db8:0:7::/64'],
  ['2001:db8:0:07:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, group) => {
  expect(toAddressGroup(address)).toBe(group);
});
