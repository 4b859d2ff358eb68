import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { LinkUrl } from './url.ts';

/** Where something was found. */
export const citation = defineComponent({
  description: 'A source: where something was found, with the words that were found there.',
  schema: z.object({
    title: z.string(),
    url: z.optional(LinkUrl),
    author: z.optional(z.string()),
    date: z.optional(z.string()),
    quote: z.optional(describe(z.string(), 'The words of the source')),
    content: z.optional(describe(z.string(), 'What the source says, in Markdown')),
  }),
});

export type CitationProps = z.output<typeof citation.schema>;
