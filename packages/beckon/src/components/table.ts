import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Rows with the same columns. */
export const table = defineComponent({
  description: 'Rows with the same columns, for data, reports and comparisons.',
  schema: z.object({
    title: z.optional(z.string()),
    attributes: describe(
      z.array(z.object({ key: z.string(), label: z.optional(z.string()) })),
      'The columns: `key` is the field of a row, `label` the heading',
    ),
    items: describe(
      z.array(
        z.object({
          id: z.optional(z.string()),
          name: z.optional(describe(z.string(), 'The heading of the row')),
          attributes: describe(z.record(z.string(), Cell), 'The cells by the key of their column'),
        }),
      ),
      'The rows',
    ),
    selectable: z.optional(describe(z.boolean(), 'Whether the person can choose a row')),
  }),
  events: { select: '{ id, name, attributes }: the row, where `selectable` is true' },
});

export type TableProps = z.output<typeof table.schema>;
