import { expect, test } from 'vitest';
import { createRangeCheck, isAddressRange } from './address-ranges.ts';

test.each(['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', '::/0', 'loopback', '::ffff:10.0.0.1'])(
  '%s is a range',
  (text) => {
    expect(isAddressRange(text)).toBe(true);
    expect(createRangeCheck([text])('not an address')).toBe(false);
  },
);

test.each([
  '',
  'localhost',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  'fd00::/129',
  '*',
  'any',
  '/8',
  ' ::1',
])('%j is none', (text) => {
  expect(isAddressRange(text)).toBe(false);
  expect(() => createRangeCheck([text])).toThrow('Expected a range of addresses');
});

test.each<[ranges: string[], inside: string[], outside: (string | undefined)[]]>([
  [[], [], ['127.0.0.1', '::1', undefined]],
  [
    ['loopback'],
    ['127.0.0.1', '127.255.0.1', '::1', '::ffff:127.0.0.1'],
    ['128.0.0.1', '::2', '::ffff:128.0.0.1', undefined, '', 'localhost', '127.0.0.1:80', '127.0.0.1, ::1'],
  ],
  [['10.1.0.0/16'], ['10.1.0.1', '10.1.255.255', '::ffff:10.1.2.3'], ['10.2.0.0', '110.1.0.1', '::10.1.0.1']],
  [
    ['10.1.2.3', 'fd00::/8'],
    ['10.1.2.3', 'fd12::1'],
    ['10.1.2.4', 'fe80::1'],
  ],
  [['fe80::/10'], ['fe80::1', 'fe80::1%eth0'], ['fec0::1']],
])('in %j are %j, and not %j', (ranges, inside, outside) => {
  const isIn = createRangeCheck(ranges);
  expect(inside.filter((address) => !isIn(address))).toEqual([]);
  expect(outside.filter((address) => isIn(address))).toEqual([]);
});
