import * as z from 'zod/mini';
import type { ContextInput } from '../../protocol/context.ts';

const MOST_CHARS = 4000;

const Message = z.object({
  role: z.literal('assistant'),
  content: z.array(z.object({ type: z.string(), text: z.optional(z.string()) })),
});

/** What the person and pi said last, for the people who are asked. */
export class Said {
  #prompt: string | undefined;
  #message: string | undefined;

  hearPrompt(prompt: unknown): void {
    if (typeof prompt === 'string') this.#prompt = prompt.slice(0, MOST_CHARS);
  }

  hearMessage(message: unknown): void {
    const read = z.safeParse(Message, message);
    const texts = read.data?.content.flatMap(({ type, text }) => (type === 'text' ? (text ?? []) : [])) ?? [];
    if (texts.length > 0) this.#message = texts.join('\n').slice(0, MOST_CHARS);
  }

  toContext(): ContextInput {
    return {
      agent: 'pi',
      ...(this.#prompt !== undefined && { prompt: this.#prompt }),
      ...(this.#message !== undefined && { message: this.#message }),
    };
  }
}
