import { expect, test } from 'vitest';
import { DRAWN } from '../../apps/inbox/src/kinds/component/can-draw.ts';
import { COMPONENTS } from '../../packages/beckon/src/components/registry.ts';

test('the page draws every component that there is, and knows no other', () => {
  expect(DRAWN).toEqual(new Set(Object.keys(COMPONENTS)));
});
