import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkPart, checkTree, describeProblems } from './check-tree.ts';
import { defineComponent } from './component.ts';
import { COMPONENTS } from './registry.ts';
import { MOST_DEPTH, MOST_PARTS, type Tree } from './tree.ts';

/** One of each, as a model writes it. */
const SAMPLES: Record<keyof typeof COMPONENTS, object> = {
  card: { title: 'Q3 Revenue', content: '$2.4M', actions: ['Deep Dive'], metadata: 'Updated 2 hours ago' },
  table: {
    title: 'Regions',
    attributes: [{ key: 'region', label: 'Region' }, { key: 'revenue' }],
    items: [{ id: 'na', name: 'North America', attributes: { region: 'NA', revenue: 1.2 } }],
  },
  timeline: { events: [{ date: '2024-01-15', title: 'Kickoff', description: 'Team assembled' }] },
  accordion: { title: 'FAQ', items: [{ label: 'How?', content: 'So.' }] },
  tabs: { tabs: [{ id: 'a', label: 'A', content: 'text' }] },
  markdown: { content: '# Results' },
  image: { src: 'https://example.com/a.png', alt: 'A', caption: 'B', href: 'mailto:a@example.com' },
  embed: { url: 'https://example.com/embed', title: 'Demo', height: '400px' },
  citation: { title: 'Outlook', url: 'https://example.com', author: 'IMF', date: '2024', quote: 'Growth' },
  suggestions: { suggestions: ['Show Q2'] },
  form: { fields: [{ name: 'email', kind: 'email', required: true }] },
  chart: { kind: 'bar', labels: ['Q1', 'Q2'], series: [{ name: 'Revenue', values: [1, null] }] },
};

test.each(Object.entries(SAMPLES))('a %s as a model writes it is in order', (type, props) => {
  const { tree, problems, parts } = checkTree([{ type, key: 'k', ...props }]);
  expect(problems).toEqual([]);
  expect(parts).toBe(1);
  expect(tree).toMatchObject([{ type, key: 'k' }]);
});

test.each(Object.entries(SAMPLES))('a %s with its props in "data" means the same', (type, data) => {
  expect(checkTree([{ type, data }])).toEqual(checkTree([{ type, ...data }]));
});

test('stacks in rows in stacks are kept as they are', () => {
  const text = (content: string) => ({ type: 'markdown', content });
  const tree = [text('a'), [text('b'), [text('c'), [text('d')]]], text('e')];
  expect(checkTree(tree)).toEqual({ tree, problems: [], parts: 5 });
});

test('a single component is a stack of one', () => {
  expect(checkTree({ type: 'markdown', content: 'x' }).tree).toEqual([{ type: 'markdown', content: 'x' }]);
});

test('one broken part is reported with its place, and the rest stays', () => {
  const { tree, problems, parts } = checkTree([
    { type: 'card', title: 'fine' },
    [
      { type: 'image', src: 'javascript:alert(1)' },
      { type: 'markdown', content: 'fine too' },
    ],
    { type: 'gallery', images: [] },
    'text',
  ]);
  expect(tree).toEqual([{ type: 'card', title: 'fine' }, [{ type: 'markdown', content: 'fine too' }]]);
  expect(problems).toEqual([
    { path: '[1][0].src', type: 'image', message: 'expected an http(s) address' },
    { path: '[2]', type: 'gallery', message: expect.stringContaining('there is no component "gallery"') },
    { path: '[3]', message: 'expected a component: an object with a "type"' },
  ]);
  expect(parts).toBe(2);
  expect(describeProblems(problems)).toContain('[1][0].src (image): expected an http(s) address');
});

test('a broken part inside a part does not spoil the one around it', () => {
  const { tree, problems } = checkTree([
    {
      type: 'tabs',
      tabs: [
        { id: 'a', label: 'A', content: [{ type: 'card', content: { type: 'markdown' } }] },
        { id: 'b', label: 'B', content: 'text' },
      ],
    },
  ]);
  expect(problems).toEqual([
    { path: '[0].tabs[0].content[0].content.content', type: 'markdown', message: 'expected string' },
  ]);
  expect(tree).toEqual([
    {
      type: 'tabs',
      tabs: [
        { id: 'a', label: 'A', content: [{ type: 'card', content: [] }] },
        { id: 'b', label: 'B', content: 'text' },
      ],
    },
  ]);
});

test('a part alone is checked without what is in it', () => {
  expect(checkPart({ type: 'card', content: [{ type: 'nonsense' }] })).toEqual({
    ok: true,
    type: 'card',
    props: { content: [{ type: 'nonsense' }] },
  });
  expect(checkPart({ type: 'card', content: 42 })).toEqual({
    ok: false,
    type: 'card',
    problems: [{ path: 'content', type: 'card', message: 'expected a text, a component or an array of components' }],
  });
});

test('null counts as absent, a key may be a number, and what is unknown is dropped', () => {
  expect(checkPart({ type: 'card', key: 7, title: 'T', metadata: null, colour: 'red' })).toEqual({
    ok: true,
    type: 'card',
    key: '7',
    props: { title: 'T' },
  });
});

test.each(['__proto__', 'constructor', 'toString'])('the type %s is no component', (type) => {
  expect(checkPart(JSON.parse(`{"type":"${type}"}`))).toMatchObject({ ok: false });
});

test('a tree that is too deep or too large is cut, not followed', () => {
  let deep: Tree = { type: 'markdown', content: 'x' };
  for (let level = 0; level < 100_000; level += 1) deep = { type: 'card', content: deep };
  expect(checkTree(deep).problems).toMatchObject([
    { message: `expected at most ${MOST_DEPTH} levels inside each other` },
  ]);
  const many = Array.from({ length: MOST_PARTS + 10 }, () => ({ type: 'markdown', content: 'x' }));
  const { tree, problems, parts } = checkTree(many);
  expect(tree).toHaveLength(MOST_PARTS);
  expect(problems).toEqual([{ path: `[${MOST_PARTS}]`, message: `expected at most ${MOST_PARTS} components` }]);
  expect(parts).toBe(MOST_PARTS);
});

test('own components join by name, with a schema and a description', () => {
  const stars = defineComponent({
    description: 'A rating.',
    schema: z.object({ count: z.number(), data: z.optional(z.object({ by: z.string() })) }),
  });
  const registry = { ...COMPONENTS, stars };
  expect(checkTree([{ type: 'stars', count: 3, data: { by: 'me' } }], registry).problems).toEqual([]);
  expect(checkTree([{ type: 'stars', data: { by: 'me' } }], registry).problems).toEqual([
    { path: '[0].count', type: 'stars', message: 'expected number' },
  ]);
});
