import { expect, test } from 'vitest';
import { describeComponents } from './component-text.ts';

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
