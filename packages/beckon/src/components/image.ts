import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { LinkUrl, SourceUrl } from './url.ts';

/** A picture. */
export const image = defineComponent({
  description: 'A picture with a caption.',
  schema: z.object({
    src: SourceUrl,
    alt: z.optional(describe(z.string(), 'What the picture shows, for those who cannot see it')),
    caption: z.optional(z.string()),
    href: z.optional(describe(LinkUrl, 'Where a click on the picture leads')),
  }),
});

export type ImageProps = z.output<typeof image.schema>;
