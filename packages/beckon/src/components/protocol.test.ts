import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { toCatalogue, toJsonSchema } from './json-schema.ts';
import { protocol } from './protocol.ts';
import { COMPONENTS, toRegistry } from './registry.ts';

test('the instructions name every component with its description, its props and its events', () => {
  const text = protocol();
  for (const [name, { description }] of Object.entries(COMPONENTS)) expect(text).toContain(`- ${name}: ${description}`);
  expect(text).toContain('props: { title?: text (What the card is about); content?: text | components');
  expect(text).toContain('attributes: { [key]: string | number | boolean | null }');
  expect(text).toContain('"bar" | "line" | "area" | "pie"');
  expect(text).toContain('event "click": { button, id }');
});

test('a choice of components limits the instructions', () => {
  const text = protocol(['markdown', 'card']);
  expect(text).toContain('- markdown:');
  expect(text).not.toContain('- table:');
});

test('a component that does not exist is refused with the names of those that do', () => {
  expect(() => protocol(['cards'])).toThrow('There is no component "cards". There are: card, table');
  expect(() => toRegistry(['toString'])).toThrow('There is no component "toString"');
});

test('own components are part of the instructions and of the schema', () => {
  const stars = defineComponent({
    description: 'A rating.',
    schema: z.object({ count: describe(z.number(), 'from 1 to 5') }),
  });
  expect(protocol({ stars })).toContain('- stars: A rating.\n  props: { count: number (from 1 to 5) }');
  expect(toCatalogue({ stars })).toEqual({
    stars: {
      description: 'A rating.',
      schema: {
        type: 'object',
        properties: { count: { type: 'number', description: 'from 1 to 5' } },
        required: ['count'],
      },
    },
  });
});

test('the JSON Schema takes what the check takes, at any depth', () => {
  const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(toJsonSchema());
  const inside = { type: 'card', title: 'Inside', content: [{ type: 'markdown', content: 'x' }] };
  const components = [
    { type: 'card', key: 'a', content: [inside] },
    [
      { type: 'markdown', content: 'x' },
      { type: 'chart', kind: 'pie', labels: ['a'], series: [{ values: [1] }] },
    ],
  ];
  expect(validate({ components })).toBe(true);
  expect(validate({ components: [{ type: 'card', content: [{ type: 'nonsense' }] }] })).toBe(false);
  expect(validate({ components: [{ type: 'markdown' }] })).toBe(false);
});

test('the JSON Schema of a choice has only that choice', () => {
  expect(Object.keys(toJsonSchema(['markdown'])['$defs'] as object)).toEqual(['part', 'component_markdown']);
});
