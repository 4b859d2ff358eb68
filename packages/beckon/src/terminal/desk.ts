import type { Rules } from '../core/rules.ts';
import { toVisible } from '../presentation/visible.ts';
import type { Context } from '../protocol/context.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { ConversationEntry } from '../protocol/history.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { describeConversation, describeSession } from './around-text.ts';
import { INBOX_KEYS, REQUEST_KEYS } from './keys.ts';
import { type Line, layOut } from './line.ts';
import { page } from './pager.ts';
import { type PromptContext, PromptLeft, promptForText } from './prompt-context.ts';
import type { Key } from './screen.ts';

/** What the screens of the inbox share. */
export interface Desk extends PromptContext {
  /** Everything that surrounds a request; `null` if there is nothing. */
  readContext: (id: string) => Promise<Context | null>;
  /** What happened to a request, ready for a terminal. Without it, the log is not offered. */
  readLog?: (id: string) => Promise<readonly string[]>;
  /** What Beckon kept of a session, in order. */
  readSession?: (sessionId: string) => Promise<readonly ConversationEntry[]>;
  /** The time, for ages. */
  now: () => number;
  /** Whether a request can be put off. */
  canSnooze: boolean;
  /** The titles that people gave to sessions, ready for a terminal. */
  titles: ReadonlyMap<string, string>;
  /** How many pending approvals are like this one, with itself. */
  countAlike: (interaction: Interaction) => number;
  /** Beckon's rules. Without them, only the agent's own can be remembered. */
  rules?: Pick<Rules, 'offers' | 'add'>;
  /** Says something beside what becomes of the answer. */
  announce: (text: string) => void;
  /** Whether a screen reader says what is on the screen. */
  isSpoken: boolean;
}

/** Where the person goes from a request without answering it. */
export interface Going {
  /** `alike`: to the list, with everything like this one marked. */
  go: 'next' | 'previous' | 'snooze' | 'alike';
}

/** What the person wants to read before they go on. */
export interface Reading {
  read: 'conversation' | 'log' | 'keys';
}

/** What surrounds the open request. `note` says why it is missing. */
export interface Around {
  context: Context | null;
  isLoading: boolean;
  note?: string;
  /** Resolves when it is loaded, or cannot be. */
  loaded: Promise<void>;
}

/** A request is not held up for longer than this by what surrounds it. */
const LOAD_MS = 5_000;

/** Starts to load what surrounds a request. */
export function loadAround(desk: Desk, { id, context }: Interaction): Around {
  const around: Around = { context: null, isLoading: context?.hasMore === true, loaded: Promise.resolve() };
  if (!around.isLoading) return around;
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.reject(new Error('it took too long.')), LOAD_MS);
  around.loaded = Promise.race([desk.readContext(id), late.promise])
    .then(
      (found) => {
        around.context = found;
      },
      (error: unknown) => {
        around.note = `What surrounds this request is missing: ${error instanceof Error ? error.message : String(error)}`;
      },
    )
    .finally(() => {
      clearTimeout(timer);
      around.isLoading = false;
    });
  return around;
}

/** The keys that do the same for every request. */
export function toShared(desk: Desk, { name }: Key): Going | Reading | undefined {
  switch (name) {
    case 'j':
      return { go: 'next' };
    case 'k':
      return { go: 'previous' };
    case 's':
      return desk.canSnooze ? { go: 'snooze' } : undefined;
    case 'c':
      return { read: 'conversation' };
    case 'l':
      return desk.readLog === undefined ? undefined : { read: 'log' };
    case '?':
      return { read: 'keys' };
    default:
      return undefined;
  }
}

/** The same as they are shown in the bar. */
export function toSharedKeys(desk: Desk): string[] {
  return [
    'c conversation',
    ...(desk.readLog === undefined ? [] : ['l log']),
    ...(desk.canSnooze ? ['s snooze'] : []),
    'j/k next, previous',
    '? keys',
    'esc back',
  ];
}

/** Shows what the person wants to read, until they have read enough. */
export async function read(
  desk: Desk,
  { read: what }: Reading,
  interaction: Interaction,
  around: Around,
): Promise<void> {
  switch (what) {
    case 'conversation': {
      const lines = await describeTalk(desk, interaction, around);
      return readLines(desk, 'Conversation', lines, true);
    }
    case 'log': {
      const events = await readEvents(desk, interaction.id);
      return readLines(
        desk,
        'Log',
        events.map((text) => ({ text })),
      );
    }
    case 'keys':
      return readLines(desk, 'Keys', [...REQUEST_KEYS, { text: '' }, ...INBOX_KEYS]);
  }
}

/** Shows lines in the pager. Throws `PromptLeft` only if the person wants out, or the signal aborts. */
export async function readLines(
  { screen, signal }: Desk,
  title: string,
  lines: readonly Line[],
  isAtEnd = false,
): Promise<void> {
  const text = layOut(lines, screen.columns).join('\n');
  const end = await page(screen, title, text, signal, { done: 'goes back', isAtEnd });
  if (end === 'leave' || end === 'closed') throw new PromptLeft(end === 'leave');
}

/** Asks for a text on a screen of its own; `null` if the person goes back. */
export async function askForText(desk: Desk, message: string): Promise<string | null> {
  return unlessBack(desk, () => {
    desk.screen.clear();
    return promptForText(desk, message);
  });
}

/** What a screen gives; `null` if the person goes back to the one before it. */
export async function unlessBack<Result>(desk: Desk, open: () => Promise<Result>): Promise<Result | null> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof PromptLeft) || error.wantsOut || desk.signal.aborted) throw error;
    return null;
  }
}

/** The conversation that the agent sent, or else what Beckon kept of the session. */
async function describeTalk(desk: Desk, { sessionId }: Interaction, { context, note }: Around): Promise<Line[]> {
  const paint = desk.screen.paint.bind(desk.screen);
  const said = context?.conversation ?? [];
  if (said.length > 0) return describeConversation(said, paint);
  try {
    const kept = sessionId === undefined ? [] : ((await desk.readSession?.(sessionId)) ?? []);
    if (kept.length > 0) return describeSession(kept, paint);
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return [{ text: toVisible(error.message) }];
  }
  return [{ text: toVisible(note ?? 'The agent sent nothing of the conversation.') }];
}

async function readEvents({ readLog }: Desk, id: string): Promise<readonly string[]> {
  try {
    return (await readLog?.(id)) ?? [];
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return [error.message];
  }
}
