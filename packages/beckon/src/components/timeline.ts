import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';

/** Events in chronological order. */
export const timeline = defineComponent({
  description: 'Events in the order of time: milestones, histories, changelogs.',
  schema: z.object({
    title: z.optional(z.string()),
    events: z.array(
      z.object({
        date: describe(z.string(), 'A date or a time, as it is to be shown'),
        title: z.string(),
        description: z.optional(z.string()),
      }),
    ),
  }),
});

export type TimelineProps = z.output<typeof timeline.schema>;
