import { expect, test } from 'vitest';
import { toPrinted } from './printed-text.ts';

test.each<[string[], string | undefined, string | undefined]>([
  [['echo', 'a', 'b'], undefined, 'a b'],
  [['/bin/echo', '-n', 'a'], undefined, 'a'],
  [['echo'], undefined, ''],
  [['echo', '-n'], undefined, ''],
  [['echo', 'a\\x62'], undefined, 'a\\x62'],
  [['echo', '-e', 'a\\x62\\u0063\\0144\\n\\\\\\q'], undefined, 'abcd\n\\\\q'],
  [['printf', 'a%sb%%%d%z', 'x', '7'], undefined, 'axb%7%z'],
  [['printf', '--', '%s,', 'a', 'b', 'c'], undefined, 'a,b,c,'],
  [['printf', '%b', '\\x61'], undefined, 'a'],
  [['printf', 'a'], undefined, 'a'],
  [['printf', '%s'], undefined, ''],
  [['printf'], undefined, ''],
  [['cat'], 'x', 'x'],
  [['cat', '-'], 'x', 'x'],
  [['cat', 'file'], 'x', undefined],
  [['tee', 'file'], 'x', 'x'],
  [['base64', '-d'], 'YQ==', 'a'],
  [['base64', '-d'], 'w6k=', 'é'],
  [['base64', '--decode'], undefined, undefined],
  [['base64', '-d'], 'a', undefined],
  [['base64'], 'a', undefined],
  [['openssl', 'enc', '-base64', '-d'], 'YQ==', 'a'],
  [['openssl', 'base64'], 'YQ==', undefined],
  [['xxd', '-r', '-p'], '61 62', 'ab'],
  [['xxd', '-r', '-p'], undefined, undefined],
  [['xxd'], '61', undefined],
  [['rev'], 'ab\ncd', 'ba\ndc'],
  [['rev'], undefined, undefined],
  [['tr', 'a-c', 'x'], 'abcd', 'xxxd'],
  [['tr', '-d', 'b'], 'abc', 'ac'],
  [['tr', 'a'], 'abc', undefined],
  [['tr', 'z-a', 'b'], 'z', 'z'],
  [['tr', 'a', 'b'], undefined, undefined],
  [['date'], 'x', undefined],
  [[], 'x', undefined],
])('%j with the input %j prints %j', (words, input, printed) => {
  expect(toPrinted(words, input)).toBe(printed);
});

test('what is printed has an end', () => {
  expect(toPrinted(['printf', '%s', ...Array.from({ length: 1000 }, () => 'x'.repeat(1000))], '')?.length).toBe(65_536);
});
