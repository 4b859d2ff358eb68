import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { Slot } from './tree.ts';

/** Sections that open and close, one below the other. */
export const accordion = defineComponent({
  description: 'Sections that the person opens one by one: questions and answers, details that not everybody needs.',
  schema: z.object({
    title: z.optional(z.string()),
    items: z.array(
      z.object({
        label: describe(z.string(), 'The heading to open it by'),
        content: describe(Slot, 'Markdown text, or components'),
        open: z.optional(describe(z.boolean(), 'Whether it is open from the start')),
      }),
    ),
    notify: z.optional(describe(z.boolean(), 'Whether the agent wants to know what is opened')),
  }),
  slots: ['items[].content'],
  events: { change: '{ label, open, id }: the section, and the key of the accordion, where `notify` is true' },
});

export type AccordionProps = z.output<typeof accordion.schema>;
