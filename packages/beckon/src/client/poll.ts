import type { Schema } from '../protocol/parse.ts';
import { pause } from '../timing/pause.ts';
import { toPauseMs } from './backoff.ts';
import { PassingFailure } from './failures.ts';
import { ATTEMPT_MS, type Http } from './http.ts';
import { parseReply } from './reply.ts';

/** Seconds that the server holds one request. Proxies tend to cut a connection that is silent for 30 or 60. */
const HOLD_SECONDS = 25;
/** A random number of seconds up to this is added, so that waits do not come back all at once. */
const SPREAD_SECONDS = 4;

/** What is waited for, and until when. */
export interface PollOptions<Output> {
  http: Http;
  /** Where the server is asked, without the query. */
  path: string;
  schema: Schema<Output>;
  /** Whether a reply ends the poll. */
  isOver: (reply: Output) => boolean;
  /** Ends the poll, with its reason. */
  signal: AbortSignal;
  /** Hears of every failure that the poll survives. */
  onError: (error: unknown) => void;
}

/** Polls until a reply is the last one, letting the server hold each HTTP request. Survives restarts of the server. */
export async function poll<Output>(options: PollOptions<Output>): Promise<Output> {
  const { http, path, schema, isOver, signal, onError } = options;
  for (let failures = 0; ; ) {
    const seconds = HOLD_SECONDS + Math.floor(Math.random() * (SPREAD_SECONDS + 1));
    try {
      const request = { method: 'GET', path: `${path}?wait=${seconds}` } as const;
      const { error, body } = await http.send(request, signal, seconds * 1000 + ATTEMPT_MS);
      if (error !== null) throw error;
      const reply = parseReply(http.baseUrl, schema, body);
      if (isOver(reply)) return reply;
      failures = 0;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      onError(error.error);
      await pause(toPauseMs(failures, error.retryAfterMs), signal);
      failures += 1;
    }
  }
}
