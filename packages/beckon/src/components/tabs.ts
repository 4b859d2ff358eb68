import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { Slot } from './tree.ts';

/** Several views in one place. */
export const tabs = defineComponent({
  description: 'Several views in one place, one of them visible.',
  schema: z.object({
    tabs: z.array(
      z.object({
        id: describe(z.string(), 'Different for each tab'),
        label: z.string(),
        content: describe(Slot, 'Markdown text, or components'),
      }),
    ),
    notify: z.optional(describe(z.boolean(), 'Whether the agent wants to know which tab is looked at')),
  }),
  slots: ['tabs[].content'],
  events: { change: '{ tab, id }: the id of the tab, and the key of the tabs, where `notify` is true' },
});

export type TabsProps = z.output<typeof tabs.schema>;
