import { expect, test } from 'vitest';
import { toCallKey } from './steps.ts';

const STEP = { groupId: 'call', chatId: 'default', askedBy: 'laptop', metadata: { step: 1, steps: 3 } };

test('steps of one call share a key; what stands alone has none', () => {
  expect(toCallKey(STEP)).toBe(toCallKey({ ...STEP, metadata: { step: 3, steps: 3 } }));
  expect(toCallKey({ ...STEP, groupId: undefined })).toBeNull();
  expect(toCallKey({ ...STEP, metadata: undefined })).toBeNull();
  expect(toCallKey({ ...STEP, metadata: { step: 'one' } })).toBeNull();
});

test('what somebody else asked, or in another chat, is of another call', () => {
  expect(toCallKey({ ...STEP, askerId: 'tok_2' })).not.toBe(toCallKey(STEP));
  expect(toCallKey({ ...STEP, askedBy: 'other' })).not.toBe(toCallKey(STEP));
  expect(toCallKey({ ...STEP, chatId: 'ops' })).not.toBe(toCallKey(STEP));
});
