import type { Beckon } from '../core/beckon.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { describeValue, parse } from '../protocol/parse.ts';
import { RemoteBeckon } from './remote-beckon.ts';

/** How long calls are tried again where nothing else is said. */
const DEFAULT_RETRY_SECONDS = 30;

/** Settings of a Beckon that is reached over HTTP. */
export interface ConnectBeckonOptions {
  /** What `beckon token create` gave, or the content of `$BECKON_HOME/token`. Its name is who asks and who answers. */
  token: string;
  /**
   * How long a call is tried again while the server cannot be reached, is stopping, or is busy; 0 tries once. Default 30 seconds. An
   * attempt under way is given up to 20 seconds more. `wait` and `events` go on until their own timeout, signal or `close`.
   */
  retryFor?: Duration;
  /**
   * Hears of each failure that a `wait` or a stream of events survives: it has lost the server and connects again. Default: ignored.
   */
  onError?: (error: unknown) => void;
}

/**
 * Gives the Beckon at `url`, such as `http://127.0.0.1:8228`, with the same interface as `openBeckon`. It connects with the
 * first call. Runs in browsers as well; there, each `wait` and each stream of events takes one of the few connections to a host.
 */
export function connectBeckon(url: string, options: ConnectBeckonOptions): Beckon {
  const { token, retryFor = DEFAULT_RETRY_SECONDS, onError = () => undefined } = options;
  // The token is not repeated: errors end up in logs.
  if (typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token)) {
    throw new BeckonError(
      'invalid_input',
      'Expected a token of letters, digits, "_" and "-", as "beckon token create" gives it, got something else. ' +
        'Check for spaces or a line break around it.',
    );
  }
  return new RemoteBeckon({
    baseUrl: toBaseUrl(url),
    token,
    retryMs: toMilliseconds(parse(Duration, retryFor, { what: 'retryFor' })),
    onError,
  });
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

// A password in a URL is not repeated either.
function describeUrl(url: string, parsed: URL | null): string {
  return parsed === null || parsed.username === '' ? describeValue(url) : 'one with a user name';
}
