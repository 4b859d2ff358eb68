import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { toQrPath } from './qr-path.ts';

const LINK = `https://beckon.example.com/login#${'aB3_-'.repeat(9)}abc`;

test('every dark module is in the path, no light one is, and there is a border of four', () => {
  const { size, path } = toQrPath(LINK);
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    for (let step = 0; step < Number(width); step += 1) (drawn[Number(y)] ?? [])[Number(x) + step] = true;
  }
  expect(drawn).toEqual(encode(LINK, { ecc: 'M', border: 4 }).data);
  expect([0, 1, 2, 3].flatMap((y) => drawn[y] ?? []).some(Boolean)).toBe(false);
  // The corner of a finder pattern, so the grid is not mirrored.
  expect(drawn[4]?.slice(4, 12)).toEqual([true, true, true, true, true, true, true, false]);
});
