import { createHmac } from 'node:crypto';
import { BeckonError } from '../../protocol/errors.ts';

/** Options of the Telegram connector. Ids may be numbers or the same numbers as text. */
export interface TelegramOptions {
  /** The bot's token, as BotFather gave it. */
  token: string;
  /**
   * The Telegram chats to use. In a list, the chat id in Beckon is the Telegram chat id as text. An object maps the
   * chat id in Beckon to the Telegram chat id.
   */
  chats: readonly (number | string)[] | Readonly<Record<string, number | string>>;
  /** The people who may answer. Default: those whose private chats are in `chats`. For a group, name them. */
  users?: readonly (number | string)[];
  /**
   * A JSON file that remembers which message shows what: a restart then repaints messages instead of sending them
   * again.
   */
  stateFile?: string;
  /** Signs the buttons. Default: derived from the token. Buttons signed with another secret are refused. */
  secret?: string;
  /** The address of the Bot API. Default `https://api.telegram.org`. */
  apiRoot?: string;
  /** The pause before a retry after a lost connection, doubled each time, in milliseconds. Default 250. */
  retryMs?: number;
  /** How long one poll waits for something to happen, in seconds. Default 30. */
  pollSeconds?: number;
  /**
   * How long the buttons of a new message do nothing, and how long after a press the buttons of other messages do
   * nothing, in milliseconds. A double tap could otherwise hit a message that just appeared. Default 1000.
   */
  momentMs?: number;
  /**
   * Called with failures in the background, such as a lost connection. The connector recovers by itself. Default:
   * ignored.
   */
  onError?: (error: unknown) => void;
  /** Called once for each chat and person that is not listed, so an operator can add them. Default: ignored. */
  onIgnored?: (stranger: Stranger) => void;
}

/** Somebody who is not listed. */
export interface Stranger {
  chat: number;
  user: number | null;
  name: string;
}

/** The checked options with their defaults. */
export interface Settings {
  readonly token: string;
  readonly chats: ReadonlyMap<string, number>;
  readonly chatIds: ReadonlyMap<number, string>;
  readonly users: ReadonlySet<number>;
  readonly stateFile: string | undefined;
  readonly secret: string | Buffer;
  readonly apiRoot: string;
  readonly retryMs: number;
  readonly pollSeconds: number;
  readonly momentMs: number;
  readonly onError: (error: unknown) => void;
  readonly onIgnored: (stranger: Stranger) => void;
}

/** Checks the options. Throws `invalid_input`; no message contains the token. */
export function parseSettings(options: TelegramOptions): Settings {
  const { token, chats } = options;
  if (!/^\d+:[\w-]{10,}$/.test(token)) {
    throw invalid('token: expected a bot token such as 123456:ABC-DEF…, as BotFather gives it');
  }
  const pairs = Array.isArray(chats)
    ? chats.map((chat: number | string) => [String(chat), toId('chats', chat)] as const)
    : Object.entries(chats).map(([chatId, chat]) => [chatId, toId('chats', chat)] as const);
  if (pairs.length === 0) throw invalid('chats: expected at least one chat; nobody could be reached');
  const chatIds = new Map(pairs.map(([chatId, chat]) => [chat, chatId]));
  // With two chat ids for one chat, a text typed there could answer the wrong question.
  if (chatIds.size < pairs.length) throw invalid('chats: expected each Telegram chat once');
  const named = options.users?.map((user) => toId('users', user));
  return {
    token,
    chats: new Map(pairs),
    chatIds,
    // The id of a private chat is the id of its person; groups have negative ids.
    users: new Set(named ?? [...chatIds.keys()].filter((chat) => chat > 0)),
    stateFile: options.stateFile,
    secret: options.secret ?? createHmac('sha256', token).update('beckon telegram buttons').digest(),
    apiRoot: (options.apiRoot ?? 'https://api.telegram.org').replace(/\/+$/, ''),
    retryMs: options.retryMs ?? 250,
    pollSeconds: options.pollSeconds ?? 30,
    momentMs: options.momentMs ?? 1000,
    onError: options.onError ?? (() => undefined),
    onIgnored: options.onIgnored ?? (() => undefined),
  };
}

function toId(field: string, id: number | string): number {
  const value = typeof id === 'string' && /^-?\d+$/.test(id) ? Number(id) : id;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value !== 0) return value;
  throw invalid(`${field}: expected the number of a Telegram chat or person, got ${JSON.stringify(id)}`);
}

function invalid(problem: string): BeckonError {
  return new BeckonError('invalid_input', `Invalid Telegram options: ${problem}`);
}
