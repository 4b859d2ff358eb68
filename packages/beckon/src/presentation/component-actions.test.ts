import { expect, test } from 'vitest';
import type { Json } from '../protocol/json.ts';
import { findActions, findTitle } from './component-actions.ts';

const TREE: Json = [
  { type: 'card', id: 'sales', title: 'Sales', actions: [{ label: 'Details', action: 'click', data: { row: 1 } }] },
  [{ type: 'table', columns: ['Month', 'Sum'], rows: [['Jan', 3]] }],
  { type: 'suggestions', items: ['Show March', '', 7, { label: 'Stop' }, { note: 'no label' }] },
];

test('everything that can be chosen is found, with the component that offers it', () => {
  expect(findActions(TREE)).toEqual([
    { label: 'Details', action: 'click', data: { row: 1 }, component: 'sales' },
    { label: 'Show March', action: 'select', data: 'Show March' },
    { label: 'Stop', action: 'select', data: { label: 'Stop' } },
  ]);
});

test('suggestions belong to their component, and what is nested in them is found too', () => {
  const nested = { type: 'button', label: 'Go', action: 'click' };
  expect(findActions({ type: 'suggestions', id: 'next', items: ['Stop'], children: [nested] })).toEqual([
    { label: 'Stop', action: 'select', data: 'Stop', component: 'next' },
    { label: 'Go', action: 'click', data: { label: 'Go' }, component: 'next' },
  ]);
  expect(findActions({ type: 'suggestions' })).toEqual([]);
});

test('an action without a label is called by its name, and an empty one is no action', () => {
  expect(findActions([{ type: 'button', action: 'submit' }, { action: '' }, 'text'])).toEqual([
    { label: 'submit', action: 'submit', data: { label: 'submit' } },
  ]);
});

test('the first title is the title of the tree', () => {
  expect(findTitle(TREE)).toBe('Sales');
  expect(findTitle([[], { type: 'chart', rows: [{ title: 'Deep' }] }])).toBe('Deep');
  expect(findTitle([{ title: '', text: 'Below' }])).toBe('Below');
  expect(findTitle(null)).toBeUndefined();
});
