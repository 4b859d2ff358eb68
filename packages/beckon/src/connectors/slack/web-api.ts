import type * as slack from '@slack/web-api';
import { parse, type Schema } from '../../protocol/parse.ts';
import { Quiet } from '../shared/quiet.ts';
import { toStopped } from '../shared/tries.ts';
import type { ModalView } from './blocks.ts';
import { isGone, toSlackError } from './errors.ts';
import type { MessageContent } from './render.ts';
import type { Settings } from './settings.ts';
import { AuthTest, type KeptMessage, type Message, Messages, Opened, Posted, toMs, toTs } from './wire.ts';

/** Nothing in a message is looked up: no names, no links, no previews. */
const AS_IT_IS = { parse: 'none', link_names: false } as const;
const NO_PREVIEWS = { unfurl_links: false, unfurl_media: false } as const;
const CALL_MS = 15_000;
const PAGE_ITEMS = 100;
/** The packages would write to the console. */
const SILENT: slack.Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error' as slack.LogLevel,
  setName: () => undefined,
};

/** Options of both packages: one try for each call, which ends with the connector. */
export function toClientOptions(
  settings: Settings,
  signal: AbortSignal,
): slack.WebClientOptions & { logger: slack.Logger } {
  return {
    slackApiUrl: settings.apiRoot,
    logger: SILENT,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_MS,
    fetch: (url, init) => {
      const both = init?.signal ? AbortSignal.any([init.signal, signal]) : signal;
      return fetch(url, { ...init, signal: both });
    },
  };
}

/**
 * The calls of Slack's Web API that the connector needs. Each waits as long as Slack says after a 429, and is otherwise
 * made once: it rejects with `unreachable` where another try may succeed, else with `invalid_input`. No error has a
 * token in it.
 */
export class SlackApi {
  readonly #library: typeof slack;
  readonly #web: slack.WebClient;
  readonly #signal: AbortSignal;
  readonly #quiet: Quiet;
  /** How far Slack's clock is ahead of ours, in milliseconds, as last seen. */
  #aheadMs: number | undefined;
  /** The app itself, as the author of messages. */
  #self: { user?: string; bot?: string | undefined } = {};

  constructor(library: typeof slack, settings: Settings, signal: AbortSignal) {
    this.#library = library;
    this.#signal = signal;
    this.#quiet = new Quiet(signal);
    this.#web = new library.WebClient(settings.botToken, toClientOptions(settings, signal));
  }

  /** Checks the token. Returns what it may do, where Slack says so. */
  async begin(): Promise<readonly string[] | undefined> {
    const { user_id, bot_id, response_metadata } = await this.#read(AuthTest, 'auth.test', {});
    this.#self = { user: user_id, bot: bot_id };
    return response_metadata?.scopes;
  }

  /** Whether the app itself wrote a message. */
  isOwn({ user, bot_id: bot }: Pick<Message, 'user' | 'bot_id'>): boolean {
    return (user !== undefined && user === this.#self.user) || (bot != null && bot === this.#self.bot);
  }

  /** Whether a message is in a thread that the app began. */
  isInOwnThread({ parent_user_id: parent }: Pick<Message, 'parent_user_id'>): boolean {
    return parent !== undefined && parent === this.#self.user;
  }

  /** The time by Slack's clock, in milliseconds, as far as its last message or press tells. */
  now(): number {
    return Date.now() + (this.#aheadMs ?? 0);
  }

  /** Learns from something that happened at `ms` by Slack's clock, and has just arrived. */
  learnTime(ms: number): void {
    const leastMs = ms - Date.now();
    this.#aheadMs = Math.max(this.#aheadMs ?? leastMs, leastMs);
  }

  /** Posts a message and returns its `ts`. `onLost` is called if no reply came: the message may have been posted. */
  async post(channel: string, { notice, blocks }: MessageContent, options: PostOptions = {}): Promise<string> {
    const { thread, isForAll = false, onLost } = options;
    const content = { channel, text: notice, mrkdwn: false, blocks, ...AS_IT_IS, ...NO_PREVIEWS };
    const place = thread === undefined ? {} : { thread_ts: thread, reply_broadcast: isForAll };
    let sentAt = 0;
    const onSend = (): void => {
      sentAt = Date.now();
    };
    const { ts } = await this.#read(Posted, 'chat.postMessage', { ...content, ...place }, { onSend, onLost });
    // Slack named the message somewhere between the two.
    this.#aheadMs = toMs(ts) - (sentAt + Date.now()) / 2;
    return ts;
  }

  /** Repaints a message. `null`: it no longer exists. `at`: when, in milliseconds by Slack's clock. */
  async update(channel: string, ts: string, { label, blocks }: MessageContent): Promise<{ at: number } | null> {
    try {
      await this.#call('chat.update', { channel, ts, text: label, blocks, ...AS_IT_IS });
      // Slack's own time of an edit has whole seconds.
      return { at: this.now() };
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  /** Says something to one person alone, in the channel or in a thread of it. */
  async whisper(channel: string, user: string, { label, blocks }: MessageContent, thread?: string): Promise<void> {
    const place = thread === undefined ? {} : { thread_ts: thread };
    await this.#call('chat.postEphemeral', { channel, user, text: label, blocks, ...AS_IT_IS, ...place });
  }

  /** Puts a file into a thread. It may appear there a while later. */
  async upload(channel: string, thread: string, { name, text }: { name: string; text: string }): Promise<void> {
    const file = { filename: name, title: name, content: text };
    await this.#call('files.uploadV2', { channel_id: channel, thread_ts: thread, ...file });
  }

  /** What was written in a thread, oldest first; the first one is the message itself. */
  async replies(channel: string, thread: string): Promise<KeptMessage[]> {
    const found: KeptMessage[] = [];
    let cursor = '';
    do {
      const input = { channel, ts: thread, limit: PAGE_ITEMS, ...(cursor !== '' && { cursor }) };
      const page = await this.#read(Messages, 'conversations.replies', input);
      found.push(...page.messages);
      cursor = page.response_metadata?.next_cursor ?? '';
    } while (cursor !== '');
    return found;
  }

  /** The latest messages of a channel since an instant by Slack's clock, newest first. */
  async history(channel: string, sinceMs: number, most: number = PAGE_ITEMS): Promise<KeptMessage[]> {
    const input = { channel, oldest: toTs(sinceMs), limit: most };
    return (await this.#read(Messages, 'conversations.history', input)).messages;
  }

  /** Opens a form in front of the person who pressed, and returns its id. */
  async openView(trigger: string, view: ModalView): Promise<string> {
    return (await this.#read(Opened, 'views.open', { trigger_id: trigger, view })).view.id;
  }

  async updateView(id: string, view: ModalView): Promise<void> {
    await this.#call('views.update', { view_id: id, view });
  }

  async #read<Result>(schema: Schema<Result>, method: string, input: object, hooks?: CallHooks): Promise<Result> {
    return parse(schema, await this.#call(method, input, hooks), { what: `reply of Slack to ${method}` });
  }

  async #call(method: string, input: object, { onSend, onLost }: CallHooks = {}): Promise<unknown> {
    // Slack counts some calls by channel.
    const name = `${method} ${'channel' in input ? String(input.channel) : ''}`;
    for (;;) {
      await this.#quiet.keep(name);
      if (this.#signal.aborted) throw toStopped();
      try {
        onSend?.();
        return await this.#web.apiCall(method, { ...input });
      } catch (error) {
        const { WebAPIPlatformError, WebAPIRateLimitedError } = this.#library;
        const isLimit = error instanceof WebAPIRateLimitedError;
        if (!isLimit && !(error instanceof WebAPIPlatformError)) onLost?.();
        if (this.#signal.aborted) throw toStopped();
        if (!isLimit) throw toSlackError(this.#library, method, error);
        this.#quiet.ask(name, error.retryAfter);
      }
    }
  }
}

/** Called before each try of a call, and if no reply came. */
interface CallHooks {
  onSend?: () => void;
  onLost?: (() => void) | undefined;
}

/** Options of a message. */
export interface PostOptions {
  /** The thread that it is written in. */
  thread?: string;
  /** Whether a message in a thread is shown in the channel as well, for those who do not follow the thread. */
  isForAll?: boolean;
  onLost?: () => void;
}
