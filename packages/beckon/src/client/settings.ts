import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { describeValue, parse } from '../protocol/parse.ts';

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
}

/** Checks the address and the settings, without connecting. */
export function toHttpSettings(
  url: string,
  { token, retryFor = DEFAULT_RETRY_SECONDS }: ConnectOptions,
): { baseUrl: string; token: string | undefined; retryMs: number } {
  // The token is not repeated: errors end up in logs.
  if (token !== undefined && (typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token))) {
    throw new BeckonError(
      'invalid_input',
      'Expected a token of letters, digits, "_" and "-", as "beckon token create" gives it, got something else. ' +
        'Check for spaces or a line break around it.',
    );
  }
  return {
    baseUrl: toBaseUrl(url),
    token,
    retryMs: toMilliseconds(parse(Duration, retryFor, { what: 'retryFor' })),
  };
}

function toBaseUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isPlain = parsed !== null && parsed.username === '' && parsed.search === '' && parsed.hash === '';
  if (isPlain && /^https?:$/.test(parsed.protocol)) return parsed.href.replace(/\/+$/, '');
  throw new BeckonError(
    'invalid_input',
    `Expected the URL of a Beckon such as "http://127.0.0.1:8228", got ${describeUrl(url, parsed)}.`,
  );
}

// Nor is a password in a URL.
function describeUrl(url: string, parsed: URL | null): string {
  return parsed === null || parsed.username === '' ? describeValue(url) : 'one with a user name';
}
