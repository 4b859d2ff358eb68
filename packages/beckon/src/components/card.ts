import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { Slot } from './tree.ts';

/** A box with a title: one figure, a summary, or a frame around other components. */
export const card = defineComponent({
  description:
    'A box with a title, for one figure, a summary, or a frame around other components. Its actions are buttons.',
  schema: z.object({
    title: z.optional(describe(z.string(), 'What the card is about')),
    content: z.optional(describe(Slot, 'Markdown text, or components')),
    actions: z.optional(describe(z.array(z.string()), 'The labels of its buttons, at most a few')),
    metadata: z.optional(describe(z.string(), 'A small line below, such as "Updated 2 hours ago"')),
  }),
  slots: ['content'],
  events: { click: '{ button, id }: the label of the button, and the key of the card' },
});

export type CardProps = z.output<typeof card.schema>;
