import * as z from 'zod/mini';
import type { ContextInput } from '../../protocol/context.ts';
import { Item, type ResumedThread } from './messages.ts';

/** Most unfinished items of a thread that are kept, and most characters of a message. */
const MOST_ITEMS = 200;
const MOST_CHARS = 20_000;
const TITLE_CHARS = 100;

/** What is known about one session of Codex. */
export interface Thread {
  id: string;
  folder: string | undefined;
  title: string | undefined;
  prompt: string | undefined;
  message: string | undefined;
  /** What has begun and not ended: changes of files and calls of tools, by the ids that requests name. */
  items: Map<string, Item>;
  /** Resolves when everything is known that the server told when we joined it. */
  ready: Promise<void>;
}

export function createThread(id: string, ready: Promise<void> = Promise.resolve()): Thread {
  return { id, folder: undefined, title: undefined, prompt: undefined, message: undefined, items: new Map(), ready };
}

/** Takes in what the server tells those who join: where the thread works, and its last turn. */
export function noteResumed(thread: Thread, { thread: told, initialTurnsPage }: ResumedThread): void {
  thread.folder = told.cwd;
  thread.title = toTitle(told.name) ?? toTitle(told.preview);
  for (const { items } of (initialTurnsPage?.data ?? []).toReversed()) {
    for (const item of items) noteItem(thread, readItem(item));
  }
}

/** An item of a turn; `null` for those that say nothing to us. */
export function readItem(value: unknown): Item | null {
  return z.safeParse(Item, value).data ?? null;
}

/** Takes in an item that begins or has ended. */
export function noteItem(thread: Thread, item: Item | null): void {
  switch (item?.type) {
    case 'userMessage': {
      const text = item.content.flatMap((part) => part.text ?? []).join('\n');
      if (text !== '') thread.prompt = text.slice(0, MOST_CHARS);
      break;
    }
    case 'agentMessage':
      if (item.text !== '') thread.message = item.text.slice(0, MOST_CHARS);
      break;
    case 'fileChange':
    case 'mcpToolCall':
      if (item.status !== 'inProgress') thread.items.delete(item.id);
      else if (thread.items.size < MOST_ITEMS || thread.items.has(item.id)) thread.items.set(item.id, item);
      break;
    default:
      break;
  }
}

/** What surrounds a request of this thread, besides its folder. */
export function toSaid({ title, prompt, message }: Thread): ContextInput {
  return {
    agent: 'Codex',
    ...(title !== undefined && { title }),
    ...(prompt !== undefined && { prompt }),
    ...(message !== undefined && { message }),
  };
}

export function toTitle(text: string | null | undefined): string | undefined {
  const line = text?.trim().split('\n')[0]?.trim() ?? '';
  return line === '' ? undefined : line.slice(0, TITLE_CHARS);
}
