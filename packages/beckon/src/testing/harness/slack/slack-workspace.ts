import { countText } from './block-kit-rules.ts';
import { readControls, readText, type SeenControl } from './reading.ts';
import { SlackSockets } from './slack-sockets.ts';

/** The app itself, as Slack names it. */
export const BOT = { user: 'UBOT', bot: 'B1', app: 'A1' } as const;

/** A message as Slack keeps it. */
export interface KeptMessage {
  channel: string;
  ts: string;
  user: string;
  bot_id?: string;
  app_id?: string;
  text: string;
  blocks: unknown[];
  thread_ts?: string;
  isBroadcast: boolean;
  files: { id: string; name: string; text: string }[];
  /** What else Slack tells of it. */
  more: object;
}

/** A form that somebody has open. */
export interface OpenView {
  id: string;
  hash: string;
  user: string;
  view: Record<string, unknown>;
}

type Payload = Record<string, unknown>;

/** Slack was seen to refuse more than about this. */
const MOST_TEXT = 13_000;

/** What is in a workspace of Slack, and what the methods of the Web API do to it. */
export abstract class SlackWorkspace {
  abstract readonly url: string;
  readonly sockets = new SlackSockets();
  readonly messages: KeptMessage[] = [];
  readonly whispers: { channel: string; user: string; text: string; thread: string | undefined }[] = [];
  readonly views: OpenView[] = [];
  /** Files that were not shared yet. */
  readonly uploads = new Map<string, { name: string; text: string }>();
  /** Whether the app is not told of messages, as after an hour: Slack gives an event again for some minutes only. */
  isForgetful = false;
  /** How far Slack's clock is ahead of ours, in milliseconds. */
  aheadMs = 0;
  /** Who may use a trigger, and until when. */
  readonly #triggers = new Map<string, { user: string; until: number }>();
  /** Files that take a while to appear in their threads; `undefined` while files appear at once. */
  #heldFiles: (() => void)[] | undefined;
  #lastTs = 0;
  #lastId = 0;

  /** From now on files take a while to appear in their threads: until the test calls what this returns. */
  holdFiles(): () => void {
    const held: (() => void)[] = [];
    this.#heldFiles = held;
    return () => {
      this.#heldFiles = undefined;
      for (const share of held) share();
    };
  }

  /** A time that no other message has, by Slack's clock. */
  newTs(): string {
    this.#lastTs = Math.max(this.#lastTs + 1, (Date.now() + this.aheadMs) * 1000);
    return `${Math.floor(this.#lastTs / 1_000_000)}.${String(this.#lastTs % 1_000_000).padStart(6, '0')}`;
  }

  newId(kind: string): string {
    this.#lastId += 1;
    return `${kind}${this.#lastId}`;
  }

  /** What somebody who pressed something may open a form with, for three seconds. */
  newTrigger(user: string): string {
    const trigger = this.newId('trigger.');
    this.#triggers.set(trigger, { user, until: Date.now() + 3000 });
    return trigger;
  }

  /** Keeps a message, and tells the app of it. */
  keep(message: Omit<KeptMessage, 'ts'>): KeptMessage {
    const kept = { ...message, ts: this.newTs() };
    this.messages.push(kept);
    if (!this.isForgetful) this.#tell(kept);
    return kept;
  }

  /** Somebody deletes a message. */
  remove(message: KeptMessage): void {
    this.messages.splice(this.messages.indexOf(message), 1);
  }

  /** Tells the app of a message: events come for its own messages too. */
  #tell(message: KeptMessage): string {
    const event = { ...this.#toJson(message), channel: message.channel, channel_type: 'channel', event_ts: message.ts };
    const head = {
      team_id: 'T1',
      api_app_id: BOT.app,
      event_id: this.newId('Ev'),
      event_time: Math.floor(Number(message.ts)),
    };
    return this.sockets.deliver('events_api', { type: 'event_callback', ...head, event });
  }

  /** Does what a call asks for, and gives the reply. */
  perform(method: string, payload: Payload): Payload {
    const text = (name: string): string => toText(payload[name]);
    switch (method) {
      case 'auth.test':
        return { ok: true, team: 'Team', user: 'beckon', team_id: 'T1', user_id: BOT.user, bot_id: BOT.bot };
      case 'apps.connections.open':
        return { ok: true, url: `${this.url.replace('http', 'ws')}/link/?ticket=${this.newId('t')}&app_id=a` };
      case 'chat.postMessage':
      case 'chat.update':
        return this.#paint(method, payload);
      case 'chat.postEphemeral': {
        const {
          channel,
          user,
          thread_ts: thread,
          blocks,
        } = payload as { [name: string]: string } & { blocks: unknown[] };
        const whisper = { channel: channel ?? '', user: user ?? '', thread, text: readText(blocks) };
        this.whispers.push(whisper);
        return { ok: true, message_ts: this.newTs() };
      }
      case 'files.getUploadURLExternal': {
        const file_id = this.newId('F');
        this.uploads.set(file_id, { name: text('filename'), text: '' });
        return { ok: true, upload_url: `${this.url}/upload/${file_id}`, file_id };
      }
      case 'files.completeUploadExternal':
        return this.#shareFiles(payload);
      case 'conversations.replies': {
        const all = this.messages.filter((one) => one.channel === text('channel') && isIn(one, text('ts')));
        return all.some(({ ts }) => ts === text('ts'))
          ? this.#page(all, payload)
          : { ok: false, error: 'thread_not_found' };
      }
      case 'conversations.history': {
        const isShown = ({ channel, ts, thread_ts: thread, isBroadcast }: KeptMessage): boolean =>
          channel === text('channel') &&
          (thread === undefined || isBroadcast) &&
          Number(ts) > Number(payload['oldest'] ?? 0);
        return this.#page(this.messages.filter(isShown).toReversed(), payload);
      }
      case 'views.open':
        return this.#openView(payload);
      case 'views.update': {
        const open = this.views.find(({ id }) => id === payload['view_id']);
        if (open === undefined) return { ok: false, error: 'not_found' };
        Object.assign(open, { view: payload['view'], hash: this.newId('hash.') });
        return { ok: true, view: { id: open.id } };
      }
      default:
        return { ok: false, error: 'unknown_method' };
    }
  }

  #paint(method: string, payload: Payload): Payload {
    const { channel = '', ts, text = '', thread_ts: thread } = payload as Record<string, string>;
    const blocks = payload['blocks'] as unknown[];
    if (countText(blocks) > MOST_TEXT) return { ok: false, error: 'msg_blocks_too_long' };
    if (method === 'chat.update') {
      const known = this.messages.find((message) => message.channel === channel && message.ts === ts);
      if (known === undefined) return { ok: false, error: 'message_not_found' };
      Object.assign(known, { text, blocks });
      const event = {
        type: 'message',
        subtype: 'message_changed',
        channel,
        ts: this.newTs(),
        message: this.#toJson(known),
      };
      this.sockets.deliver('events_api', { type: 'event_callback', event_id: this.newId('Ev'), event });
      return { ok: true, channel, ts, text, message: this.#toJson(known) };
    }
    const isBroadcast = payload['reply_broadcast'] === 'true';
    const own = { user: BOT.user, bot_id: BOT.bot, app_id: BOT.app };
    const place = thread === undefined ? {} : { thread_ts: thread };
    const kept = this.keep({ channel, ...own, text, blocks, ...place, isBroadcast, files: [], more: {} });
    return { ok: true, channel, ts: kept.ts, message: this.#toJson(kept) };
  }

  #shareFiles(payload: Payload): Payload {
    const { channel_id: channel = '', thread_ts: thread } = payload as Record<string, string>;
    const ids = (payload['files'] as { id: string }[]).map(({ id }) => id);
    const files = ids.map((id) => ({ id, ...(this.uploads.get(id) ?? { name: '', text: '' }) }));
    const share = (): void => {
      const own = { user: BOT.user, bot_id: BOT.bot, app_id: BOT.app };
      const place = thread === undefined ? {} : { thread_ts: thread };
      this.keep({
        channel,
        ...own,
        text: '',
        blocks: [],
        ...place,
        isBroadcast: false,
        files,
        more: { subtype: 'file_share' },
      });
    };
    if (this.#heldFiles === undefined) share();
    else this.#heldFiles.push(share);
    return { ok: true, files: files.map(({ id, name }) => ({ id, title: name })) };
  }

  #openView(payload: Payload): Payload {
    const { trigger_id: trigger = '', view } = payload as { trigger_id?: string; view: Payload };
    const may = this.#triggers.get(trigger);
    this.#triggers.delete(trigger);
    if (may === undefined) return { ok: false, error: 'invalid_trigger_id' };
    if (may.until < Date.now()) return { ok: false, error: 'expired_trigger_id' };
    const open = { id: this.newId('V'), hash: this.newId('hash.'), user: may.user, view };
    this.views.push(open);
    return { ok: true, view: { id: open.id, hash: open.hash } };
  }

  #page(all: readonly KeptMessage[], payload: Payload): Payload {
    const start = Number(payload['cursor'] ?? 0);
    const end = start + Number(payload['limit'] ?? 100);
    const messages = all.slice(start, end).map((message) => this.#toJson(message));
    const next = end < all.length ? String(end) : '';
    return { ok: true, messages, has_more: next !== '', response_metadata: { next_cursor: next } };
  }

  #toJson({ ts, user, bot_id, app_id, text, blocks, thread_ts, files, more }: KeptMessage): Payload {
    const root = this.messages.find((message) => message.ts === thread_ts);
    return {
      type: 'message',
      ts,
      user,
      text,
      blocks,
      ...(bot_id !== undefined && { bot_id }),
      ...(app_id !== undefined && { app_id }),
      ...(thread_ts !== undefined && { thread_ts, ...(root !== undefined && { parent_user_id: root.user }) }),
      ...(files.length > 0 && { files: files.map(({ id, name }) => ({ id, name })) }),
      ...more,
    };
  }
}

/** What a person sees of a message. */
export function see({ blocks }: KeptMessage): { text: string; controls: SeenControl[] } {
  return { text: readText(blocks), controls: readControls(blocks) };
}

function isIn({ ts, thread_ts }: KeptMessage, thread: string): boolean {
  return ts === thread || thread_ts === thread;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
