import { type ConnectBeckonOptions, connectBeckon as connectAt } from './client/connect-beckon.ts';
import type { Beckon } from './core/beckon.ts';
import { findBeckon } from './where/find-beckon.ts';
import { createPinnedFetch } from './where/pinned-fetch.ts';
import { requireToken } from './where/require-token.ts';

/**
 * Gives the Beckon at `url`, such as `https://beckon.example.com`, with the same interface as `openBeckon`. It connects
 * with the first call.
 *
 * Without a URL it is the Beckon that the command line uses, with its token: `BECKON_URL`, the profile of `beckon
 * login`, or the one on this machine. Throws `invalid_input` for wrong settings, and `unauthorized` if there is no
 * token.
 */
export function connectBeckon(url?: string, options: ConnectBeckonOptions = {}): Beckon {
  if (url !== undefined) return connectAt(url, options);
  const found = findBeckon();
  const { certificates, home } = found;
  return connectAt(found.url, {
    ...(certificates !== undefined && { fetch: createPinnedFetch(home) }),
    ...options,
    token: options.token ?? requireToken(found),
  });
}
