import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';

/** Numbers as a picture. */
export const chart = defineComponent({
  description: 'Numbers as a picture: bars to compare, lines over time, a pie for parts of a whole.',
  schema: z.object({
    title: z.optional(z.string()),
    kind: describe(z.enum(['bar', 'line', 'area', 'pie']), 'The form of the chart'),
    labels: describe(z.array(z.string()), 'What the values belong to, in order: the horizontal axis, or the slices'),
    series: describe(
      z.array(
        z.object({
          name: z.optional(z.string()),
          values: describe(z.array(z.union([z.number(), z.null()])), 'One for each label; null where there is none'),
        }),
      ),
      'One or more rows of values; a pie has one',
    ),
    unit: z.optional(describe(z.string(), 'Of the values, such as "$" or "%"')),
    selectable: z.optional(describe(z.boolean(), 'Whether the person can choose a bar, a point or a slice')),
  }),
  events: { select: '{ label, series, value, id }: what was chosen, where `selectable` is true' },
});

export type ChartProps = z.output<typeof chart.schema>;
