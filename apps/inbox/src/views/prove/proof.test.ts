import { expect, test } from 'vitest';
import { toProof } from './proof.ts';

test.each([
  ['#dst_0199-a.48152093', { id: 'dst_0199-a', code: '48152093' }],
  ['#dst_0199-a.', null],
  ['#dst_0199-a', null],
  ['#../v1/x.48152093', null],
  ['', null],
])('%s says %j', (hash, proof) => {
  expect(toProof(hash)).toEqual(proof);
});
