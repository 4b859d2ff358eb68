import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';

/** What the person could ask next. */
export const suggestions = defineComponent({
  description: 'What the person could ask next, one click each. Usually the last component.',
  schema: z.object({ suggestions: describe(z.array(z.string()), 'In the words of the person, at most a few') }),
  events: { select: '{ value, id }: the text that was chosen, and the key of the suggestions' },
});

export type SuggestionsProps = z.output<typeof suggestions.schema>;
