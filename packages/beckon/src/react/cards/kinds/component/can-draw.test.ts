import { expect, test } from 'vitest';
import type { Json } from '../../../../protocol/index.ts';
import { canDraw } from './can-draw.ts';

const CARD = { type: 'card', title: 'Sales', content: 'Down **12 %**\r\nsince May', actions: ['Deep Dive'] };

test.each<[string, Json, boolean]>([
  ['a stack with a row of known components', [CARD, [CARD, { type: 'markdown', content: 'x' }]], true],
  ['a component that nobody knows beside a known one', [CARD, { type: 'button', label: 'Go' }], false],
  ['something that is no component', [CARD, 'text'], false],
  ['a type that only the prototype has', Object.create({ type: 'card' }) as Json, false],
  ['a text that turns around what stands behind it', [{ ...CARD, title: 'pay \u202Egnp.exe' }], false],
  ['a hidden character deep inside', [{ type: 'tabs', tabs: [{ label: 'a', content: 'no\u200Bthing' }] }], false],
])('%s', (_, tree, expected) => {
  expect(canDraw(tree)).toBe(expected);
});
