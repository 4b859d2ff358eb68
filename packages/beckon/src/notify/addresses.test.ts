import { describe, expect, test } from 'vitest';
import { createAddressRules } from './addresses.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

describe('an address', () => {
  const rules = createAddressRules([]);

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::FFFF:192.168.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'not an address',
    '',
  ])('%s is refused', (address) => {
    expect(rules.isAllowedAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('%s is public', (address) => {
    expect(rules.isAllowedAddress(address)).toBe(true);
  });

  test('is allowed by itself, by its range, or by the name that leads to it', () => {
    const allowing = createAddressRules(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', 'ntfy.Internal.']);
    expect(['10.1.2.3', '127.0.0.1', '::ffff:127.0.0.1', 'fd12::1'].map(allowing.isAllowedAddress)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['10.2.0.1', '127.0.0.2', 'fe80::1'].map(allowing.isAllowedAddress)).toEqual([false, false, false]);
    expect(
      ['NTFY.internal', 'ntfy.internal.', 'xntfy.internal', 'a.ntfy.internal'].map(allowing.isAllowedHost),
    ).toEqual([true, true, false, false]);
  });

  test.each(['10.0.0.0/33', '::/129', '10.0.0.0/x', '10.0.0.0/-1'])('the range %s is refused', (range) => {
    expect(() => createAddressRules([range])).toThrow('a range such as "10.1.0.0/16"');
  });
});

describe('a URL whose host is written as', () => {
  const lookups: string[] = [];
  const guarded = createGuardedFetch({
    allow: [],
    resolve: async (host) => {
      lookups.push(host);
      return ['127.0.0.1'];
    },
  });

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'https://metadata.internal/',
    'http://169.254.169.254/latest/meta-data/',
  ])('%s leads nowhere', async (url) => {
    await expect(guarded.check(url)).rejects.toMatchObject({ code: 'address_refused' });
    const sending = guarded.send({ url, method: 'POST', headers: {}, body: '{}' });
    await expect(sending).rejects.toMatchObject({ code: 'address_refused' });
  });

  test.each(['ftp://example.com/', 'http://ada:secret@example.com/', 'file:///etc/passwd', 'nothing', ''])(
    '%s is not taken',
    async (url) => {
      await expect(guarded.check(url)).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(guarded.send({ url, method: 'GET', headers: {} })).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );
});
