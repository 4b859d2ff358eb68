import { expect, test } from 'vitest';
import { describeComponents, findActions, findTitle } from './component-text.ts';

const TREE = [
  {
    type: 'card',
    id: 'sales',
    title: 'Sales\u001b[2J',
    actions: [{ label: 'Details', action: 'click', data: { row: 1 } }],
  },
  [{ type: 'table', columns: ['Month', 'Sum'], rows: [['Jan', 3]] }],
  { type: 'suggestions', items: ['Show March', { label: 'Stop' }] },
];

test('a tree is text, with its escape sequences made visible', () => {
  expect(describeComponents(TREE).split('\n')).toEqual([
    '[card]',
    '  id: sales',
    '  title: Sales[U+001B][2J',
    '  actions:',
    '    - label: Details',
    '      action: click',
    '      data:',
    '        row: 1',
    '[table]',
    '  columns: Month, Sum',
    '  rows:',
    '    - Jan | 3',
    '[suggestions]',
    '  items:',
    '    - Show March',
    '    - label: Stop',
  ]);
});

test('a text alone and a text of several lines are shown', () => {
  expect(describeComponents('hello')).toBe('hello');
  expect(describeComponents({ type: 'markdown', text: 'a\nb' })).toBe('[markdown]\n  text:\n    a\n    b');
});

test('what can be chosen is found, with the component that it belongs to', () => {
  expect(findActions(TREE)).toEqual([
    { label: 'Details', action: 'click', data: { row: 1 }, component: 'sales' },
    { label: 'Show March', action: 'select', data: 'Show March' },
    { label: 'Stop', action: 'select', data: { label: 'Stop' } },
  ]);
});

test('an action without a label is called by its name', () => {
  expect(findActions({ type: 'button', action: 'submit' })).toEqual([
    { label: 'submit', action: 'submit', data: { label: 'submit' } },
  ]);
});

test('the first title is that of the tree', () => {
  expect(findTitle(TREE)).toBe('Sales\u001b[2J');
  expect(findTitle([[], { type: 'chart', rows: [{ title: 'Deep' }] }])).toBe('Deep');
  expect(findTitle(null)).toBeUndefined();
});
