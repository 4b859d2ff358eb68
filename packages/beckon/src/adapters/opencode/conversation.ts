import * as z from 'zod/mini';
import type { ContextInput } from '../../protocol/context.ts';
import type { OpencodeClient } from './client.ts';

/** How many of the last messages are looked at, and how long that may take. */
const MOST_MESSAGES = 20;
const LIMIT_MS = 1000;
const MOST_CHARS = 4000;

const Session = z.object({ title: z.optional(z.string()) });
const Messages = z.array(
  z.object({
    info: z.object({ role: z.string() }),
    parts: z.array(z.object({ type: z.string(), text: z.optional(z.string()), synthetic: z.optional(z.boolean()) })),
  }),
);

/** The title of a session, the person's last prompt and the agent's last message; less if opencode is slow to say. */
export async function readConversation(client: OpencodeClient, sessionId: string): Promise<ContextInput> {
  const [session, messages] = await Promise.all([
    read(Session, client.get('/session/{id}', { id: sessionId })),
    read(Messages, client.get('/session/{id}/message', { id: sessionId }, { limit: MOST_MESSAGES })),
  ]);
  const title = session?.title;
  const prompt = findLast(messages ?? [], 'user');
  const message = findLast(messages ?? [], 'assistant');
  return {
    ...(title !== undefined && title !== '' && { title: title.slice(0, 300) }),
    ...(prompt !== undefined && { prompt }),
    ...(message !== undefined && { message }),
  };
}

function findLast(messages: z.output<typeof Messages>, role: string): string | undefined {
  const texts = messages
    .filter(({ info }) => info.role === role)
    .map(({ parts }) => parts.flatMap(({ type, text, synthetic }) => (type === 'text' && !synthetic ? text : [])));
  const last = texts.findLast((parts) => parts.some((text) => text));
  return last?.join('\n').slice(0, MOST_CHARS);
}

// A request must not wait for what surrounds it.
async function read<Schema extends z.core.$ZodType>(
  schema: Schema,
  reply: Promise<unknown>,
): Promise<z.output<Schema> | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS);
  });
  try {
    const parsed = z.safeParse(schema, await Promise.race([reply, late]));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
