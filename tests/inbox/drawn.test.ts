import { expect, test } from 'vitest';
import { COMPONENTS } from '../../packages/beckon/src/components/registry.ts';
import { DRAWN } from '../../packages/beckon/src/react/cards/kinds/component/can-draw.ts';

test('the page draws every component that there is, and knows no other', () => {
  expect(DRAWN).toEqual(new Set(Object.keys(COMPONENTS)));
});
