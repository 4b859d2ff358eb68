import * as z from 'zod/mini';
import { defineComponent, describe } from './component.ts';
import { SourceUrl } from './url.ts';

/** Another page, in a sandboxed frame. */
export const embed = defineComponent({
  description: 'Another page in a frame: a video, a map, a demonstration.',
  schema: z.object({
    url: SourceUrl,
    title: z.optional(describe(z.string(), 'What the frame shows, for those who cannot see it')),
    height: z.optional(
      describe(
        z.string().check(z.regex(/^\d{1,4}(px|vh|rem|em)?$/, 'expected a height such as "400px"')),
        'Such as "400px"',
      ),
    ),
  }),
});

export type EmbedProps = z.output<typeof embed.schema>;
