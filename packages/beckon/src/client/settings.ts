import { parseBeckonUrl } from '../protocol/beckon-url.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { parse } from '../protocol/parse.ts';
import type { HttpOptions } from './http.ts';

/** How long calls are retried by default. */
const DEFAULT_RETRY_SECONDS = 30;

/** Settings of every client of a Beckon over HTTP. */
export interface ConnectOptions {
  /**
   * The token from `beckon token create`, or the content of `$BECKON_HOME/token`. Its name is who asks and who answers.
   * Without it, a page that Beckon serves uses the cookie of the logged-in browser.
   */
  token?: string | undefined;
  /**
   * How long a call is retried while the server is unreachable, stopping or busy; 0 tries once. Default 30 seconds. An
   * attempt in progress gets up to 20 seconds more. `wait` and `events` continue until their own timeout, signal or
   * `close`.
   */
  retryFor?: Duration;
  /** Sends the requests, for connections that need something special. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Checks the address and the settings, without connecting. */
export function toHttpSettings(
  url: string,
  { token, retryFor = DEFAULT_RETRY_SECONDS, fetch }: ConnectOptions,
): Pick<HttpOptions, 'baseUrl' | 'token' | 'retryMs' | 'fetch'> {
  // The token is not repeated: errors end up in logs.
  if (token !== undefined && (typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token))) {
    throw new BeckonError(
      'invalid_input',
      'Expected a token of letters, digits, "_" and "-", as "beckon token create" gives it, got something else. ' +
        'Check for spaces or a line break around it.',
    );
  }
  return {
    baseUrl: parseBeckonUrl(url),
    token,
    fetch,
    retryMs: toMilliseconds(parse(Duration, retryFor, { what: 'retryFor' })),
  };
}
