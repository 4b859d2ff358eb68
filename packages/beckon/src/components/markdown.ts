import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';

/** Formatted text, the fallback for everything else. */
export const markdown = defineComponent({
  description: 'Formatted text: headings, lists, code. Choose it when nothing else fits.',
  schema: z.object({ content: describe(z.string(), 'GitHub-flavoured Markdown; HTML is not shown') }),
});

export type MarkdownProps = z.output<typeof markdown.schema>;
