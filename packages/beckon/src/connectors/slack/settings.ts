import { createHmac } from 'node:crypto';
import { BeckonError } from '../../protocol/errors.ts';

/** Options of the Slack connector. */
export interface SlackOptions {
  /** The bot token of the app, `xoxb-…`. */
  botToken: string;
  /** The app-level token with the scope `connections:write`, `xapp-…`. */
  appToken: string;
  /**
   * The Slack channels to use. In a list, the chat id in Beckon is the channel's id. An object maps the chat id in
   * Beckon to the channel's id.
   */
  channels: readonly string[] | Readonly<Record<string, string>>;
  /** The people who may answer: their Slack id and their name in Beckon. */
  users: Readonly<Record<string, string>>;
  /**
   * A JSON file that remembers which message shows what: a restart then repaints messages instead of sending them
   * again.
   */
  stateFile?: string;
  /** Signs the buttons. Default: derived from the bot token. Buttons signed with another secret are refused. */
  secret?: string;
  /** Where people can open the inbox page, for what Slack cannot show. Default: such requests name the command line. */
  pageUrl?: string;
  /** The address of Slack's Web API. Default `https://slack.com/api/`. */
  apiRoot?: string;
  /** The pause before a retry after a lost connection, doubled each time, in milliseconds. Default 250. */
  retryMs?: number;
  /** How long a connection may be silent before it is replaced, in milliseconds. Default 10,000. */
  silenceMs?: number;
  /**
   * How long the buttons of a new message do nothing, and how long after a press the buttons of other messages do
   * nothing, in milliseconds. A double click could otherwise hit a message that just appeared. Default 1000.
   */
  momentMs?: number;
  /**
   * Called with failures in the background, such as a lost connection. The connector recovers by itself. Default:
   * ignored.
   */
  onError?: (error: unknown) => void;
  /** Called once for each channel and person that is not listed, so an operator can add them. Default: ignored. */
  onIgnored?: (stranger: Stranger) => void;
}

/** Somebody who is not listed, or who is in a channel that is not. */
export interface Stranger {
  channel: string;
  user: string;
  /** Whether it is the channel that is not listed. */
  isChannel: boolean;
}

/** The checked options with their defaults. */
export interface Settings extends Required<Omit<SlackOptions, 'channels' | 'users' | 'stateFile' | 'secret'>> {
  readonly channels: ReadonlyMap<string, string>;
  readonly chatIds: ReadonlyMap<string, string>;
  readonly users: ReadonlyMap<string, string>;
  readonly stateFile: string | undefined;
  readonly secret: string | Buffer;
  /** Empty: nobody said where the page is. */
  readonly pageUrl: string;
}

/** Checks the options. Throws `invalid_input`; no message contains a token. */
export function parseSettings(options: SlackOptions): Settings {
  const { botToken, appToken } = options;
  if (!/^xoxb-[\w-]{5,}$/.test(botToken)) throw invalid('botToken: expected a bot token, which begins with xoxb-');
  if (!/^xapp-[\w-]{5,}$/.test(appToken))
    throw invalid('appToken: expected an app-level token, which begins with xapp-');
  const channels = toChannels(options.channels);
  const users = new Map(Object.entries(options.users));
  for (const [id, name] of users) {
    if (!/^[UW][A-Z0-9]{2,}$/.test(id)) throw invalid(`users: expected a Slack id such as U0123, got ${quote(id)}`);
    if (name.trim() === '') throw invalid(`users: expected a name for ${id}`);
  }
  if (users.size === 0) throw invalid('users: expected at least one person; nobody could answer');
  return {
    botToken,
    appToken,
    channels,
    chatIds: new Map([...channels].map(([chatId, channel]) => [channel, chatId])),
    users,
    stateFile: options.stateFile,
    secret: options.secret ?? createHmac('sha256', botToken).update('beckon slack buttons').digest(),
    pageUrl: toPageUrl(options.pageUrl),
    apiRoot: `${(options.apiRoot ?? 'https://slack.com/api').replace(/\/+$/, '')}/`,
    retryMs: options.retryMs ?? 250,
    silenceMs: options.silenceMs ?? 10_000,
    momentMs: options.momentMs ?? 1000,
    onError: options.onError ?? (() => undefined),
    onIgnored: options.onIgnored ?? (() => undefined),
  };
}

function toChannels(given: SlackOptions['channels']): Map<string, string> {
  const pairs = Array.isArray(given)
    ? given.map((channel: string) => [channel, channel] as const)
    : Object.entries(given as Readonly<Record<string, string>>);
  for (const [, channel] of pairs) {
    if (!/^[CGD][A-Z0-9]{2,}$/.test(channel)) {
      throw invalid(`channels: expected the id of a Slack channel such as C0123, got ${quote(channel)}`);
    }
  }
  if (pairs.length === 0) throw invalid('channels: expected at least one channel; nobody could be reached');
  // With two chat ids for one channel, nobody could tell which one a message belongs to.
  if (new Set(pairs.map(([, channel]) => channel)).size < pairs.length) {
    throw invalid('channels: expected each Slack channel once');
  }
  return new Map(pairs);
}

function toPageUrl(given: string | undefined): string {
  if (given === undefined) return '';
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw invalid(`pageUrl: expected an address such as https://beckon.example.com, got ${quote(given)}`);
  }
  return url.href.replace(/\/+$/, '');
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function invalid(problem: string): BeckonError {
  return new BeckonError('invalid_input', `Invalid Slack options: ${problem}`);
}
