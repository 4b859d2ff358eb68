import { type ConnectBeckonOptions as ClientOptions, connectOver } from './client/connect-beckon.ts';
import { Line } from './client/line.ts';
import type { Beckon } from './core/beckon.ts';
import { createLinePlace } from './line-socket.ts';
import { BeckonError } from './protocol/errors.ts';
import { findBeckon } from './where/find-beckon.ts';
import { createPinnedFetch } from './where/pinned-fetch.ts';
import { requireToken } from './where/require-token.ts';

/** Settings of a Beckon that is reached over the network. */
export interface ConnectBeckonOptions extends ClientOptions {
  /**
   * `auto` sends asks, waits, answers and events over one WebSocket, and over HTTP where that is refused. `http` never
   * opens a WebSocket. Default: `auto`; with a `fetch` of your own, and for certificates that only this machine knows,
   * it is `http`.
   */
  transport?: 'auto' | 'http';
}

/**
 * Gives the Beckon at `url`, such as `https://beckon.example.com`, with the same interface as `openBeckon`. It connects
 * with the first call, over one WebSocket for everything that is under way at once.
 *
 * Without a URL it is the Beckon that the command line uses, with its token: `BECKON_URL`, the profile of `beckon
 * login`, or the one on this machine. Throws `invalid_input` for wrong settings, and `unauthorized` if there is no
 * token.
 *
 * @example
 * ```ts
 * const beckon = connectBeckon('https://beckon.example.com', { token });
 * const { id } = await beckon.ask({ kind: 'question', request: { question: 'Deploy?' } });
 * const { status } = await beckon.wait(id);
 * ```
 */
export function connectBeckon(url?: string, options: ConnectBeckonOptions = {}): Beckon {
  if (url !== undefined) return connect(url, options);
  const found = findBeckon();
  const { certificates, home } = found;
  return connect(found.url, {
    ...(certificates !== undefined && { fetch: createPinnedFetch(home) }),
    ...options,
    token: options.token ?? requireToken(found),
  });
}

function connect(url: string, { transport = 'auto', ...options }: ConnectBeckonOptions): Beckon {
  if (transport !== 'auto' && transport !== 'http') {
    const got = JSON.stringify(transport);
    throw new BeckonError('invalid_input', `Expected the transport "auto" or "http", got ${got}.`);
  }
  const hasLine = transport === 'auto' && options.fetch === undefined;
  return connectOver(
    url,
    options,
    hasLine ? ({ baseUrl, token }, onError) => new Line(baseUrl, createLinePlace(baseUrl, token), onError) : undefined,
  );
}
