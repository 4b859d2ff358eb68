import type { Reply } from '../bridge/exchange.ts';
import type { DestinationRecord, NoticeResult } from '../core/notify.ts';
import { NtfyLine } from '../protocol/ntfy.ts';
import { parse } from '../protocol/parse.ts';
import { parseRetryAfter } from '../timing/retry-after.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { toUnreached } from './senders/http-failure.ts';

/** Where an ntfy destination leads. */
export interface NtfyPlace {
  server: string;
  topic: string;
  token?: string;
}

/** A message as ntfy takes it (https://docs.ntfy.sh/publish/#publish-as-json). */
export interface NtfyMessage {
  topic: string;
  title: string;
  message: string;
  priority: number;
  tags: readonly string[];
  click?: string;
  /** A later message with the same one replaces it; servers before 2.16 ignore it. */
  sequence_id?: string;
  actions?: readonly {
    action: 'http';
    label: string;
    url: string;
    method: 'POST';
    headers: Record<string, string>;
    body: string;
    clear: boolean;
  }[];
}

/** A server that does not do what it is asked. */
export class NtfyRefusal extends Error {
  readonly status: number;
  /** How long to wait at least; `null`: it would be the same the next time. */
  readonly retryAfterMs: number | null;

  constructor(message: string, status: number, retryAfterMs: number | null) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

const REPLY_BYTES = 4096;
const SHOWN_CHARS = 200;
/** Longer lines cannot be a reply of ours. */
const LINE_CHARS = 65_536;
/** ntfy fills its buckets by one request every five seconds, and names no time. */
const BUSY_MS = 60_000;
/** How long to leave a stream alone until somebody may have changed a token or a right. */
const REFUSED_MS = 600_000;
/** 4xx statuses that another attempt may not get. */
const PASSING = new Set([408, 425, 429]);

/** The place of an ntfy destination. */
export function toNtfyPlace({ secret }: Pick<DestinationRecord, 'secret'>): NtfyPlace {
  // It was parsed when it was added.
  const { server, topic, token } = secret as { server: string; topic: string; token?: string };
  return { server: server.replace(/\/+$/, ''), topic, ...(token !== undefined && { token }) };
}

/** Publishes a message. Never throws. */
export function publish(
  guarded: GuardedFetch,
  { server, token }: NtfyPlace,
  message: NtfyMessage,
  signal: AbortSignal,
): Promise<NoticeResult> {
  const headers = { ...toAuthorization(token), 'content-type': 'application/json' };
  return attempt(token, async () => {
    const request = { url: `${server}/`, method: 'POST', headers, body: JSON.stringify(message), signal } as const;
    return toResult(await guarded.send(request), token);
  });
}

/** Takes a message off the phones that show it. Servers before 2.16 cannot, and then it stays. Never throws. */
export function clear(
  guarded: GuardedFetch,
  { server, topic, token }: NtfyPlace,
  sequenceId: string,
  signal: AbortSignal,
): Promise<NoticeResult> {
  return attempt(token, async () => {
    const url = `${server}/${topic}/${sequenceId}/clear`;
    const reply = await guarded.send({ url, method: 'PUT', headers: toAuthorization(token), signal });
    return reply.status === 404 || reply.status === 405 ? { result: 'sent' } : toResult(reply, token);
  });
}

/**
 * The lines of several topics: what is cached after `since`, and then, unless `isPoll`, what comes. `onBytes` hears
 * that the stream lives. Throws `NtfyRefusal`, or what the connection fails with.
 */
export async function* readLines(
  guarded: GuardedFetch,
  input: {
    server: string;
    token: string | undefined;
    topics: readonly string[];
    since: string;
    isPoll: boolean;
    signal: AbortSignal;
    onBytes: () => void;
  },
): AsyncGenerator<NtfyLine> {
  const { server, token, topics, since, isPoll, signal } = input;
  const query = new URLSearchParams({ since, ...(isPoll && { poll: '1' }) });
  const url = `${server}/${topics.join(',')}/json?${query.toString()}`;
  const reply = await guarded.stream({ url, method: 'GET', headers: toAuthorization(token), signal });
  if (reply.status !== 200) throw toRefusal({ ...reply, text: await readStart(reply.body) }, token);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of reply.body) {
    input.onBytes();
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARS) throw new Error('The ntfy server sends a line without an end');
    for (const text of lines) {
      const line = toLine(text);
      if (line !== null) yield line;
    }
  }
}

// A proxy may write anything into a stream; the next line may be one of ours.
function toLine(text: string): NtfyLine | null {
  try {
    return parse(NtfyLine, JSON.parse(text), { what: 'line' });
  } catch {
    return null;
  }
}

function toAuthorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function attempt(token: string | undefined, send: () => Promise<NoticeResult>): Promise<NoticeResult> {
  try {
    return await send();
  } catch (error) {
    return toUnreached(error, toSecrets(token));
  }
}

function toResult(reply: Reply, token: string | undefined): NoticeResult {
  if (reply.status >= 200 && reply.status < 300) return { result: 'sent' };
  const { message: error, retryAfterMs, status } = toRefusal(reply, token);
  // Somebody must change the token, or what it may do.
  if (status === 401 || status === 403) return { result: 'refused', error };
  return retryAfterMs === null ? { result: 'dead', error } : { result: 'failed', error, retryAfterMs };
}

/** What a status other than 2xx means. */
function toRefusal({ status, headers, text: body }: Reply, token: string | undefined): NtfyRefusal {
  const said = hide(/"error":"([^"]{1,200})"/.exec(body)?.[1] ?? body, token)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const text = said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
  if (status === 401 || status === 403) {
    const error = `The ntfy server does not accept the token, or guards the topic (${text}).`;
    return new NtfyRefusal(error, status, REFUSED_MS);
  }
  if (status === 404 || (status >= 300 && status < 400)) {
    return new NtfyRefusal(`No ntfy server answers at this address (${text}).`, status, null);
  }
  if (status < 500 && !PASSING.has(status)) return new NtfyRefusal(`The ntfy server says ${text}.`, status, null);
  const asked = parseRetryAfter(String(headers['retry-after'] ?? ''), Date.now());
  return new NtfyRefusal(`The ntfy server says ${text}.`, status, asked || (status === 429 ? BUSY_MS : 0));
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > REPLY_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

/** What a stream failed with, for people. */
export function describeFailure(error: unknown, token: string | undefined): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return hide(message || String(code), token);
}

function toSecrets(token: string | undefined): string[] {
  return token === undefined ? [] : [token];
}

// A server may echo what it received.
function hide(text: string, token: string | undefined): string {
  return (token === undefined ? text : text.replaceAll(token, '(secret)')).slice(0, SHOWN_CHARS);
}
