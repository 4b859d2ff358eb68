import { Interaction } from '../protocol/interaction.ts';
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
export interface PollOptions {
  http: Http;
  id: string;
  /** Ends the poll, with its reason. */
  signal: AbortSignal;
  /** Hears of every failure that the poll survives. */
  onError: (error: unknown) => void;
}

/**
 * Polls until the interaction is settled, letting the server hold each HTTP request. Survives restarts of the server.
 */
export async function poll({ http, id, signal, onError }: PollOptions): Promise<Interaction> {
  for (let failures = 0; ; ) {
    const seconds = HOLD_SECONDS + Math.floor(Math.random() * (SPREAD_SECONDS + 1));
    try {
      const path = `/v1/interactions/${id}?wait=${seconds}`;
      const { error, body } = await http.send({ method: 'GET', path }, signal, seconds * 1000 + ATTEMPT_MS);
      if (error !== null) throw error;
      const interaction = parseReply(http.baseUrl, Interaction, body);
      if (interaction.status !== 'pending') return interaction;
      failures = 0;
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      onError(error.error);
      await pause(toPauseMs(failures, error.retryAfterMs), signal);
      failures += 1;
    }
  }
}
