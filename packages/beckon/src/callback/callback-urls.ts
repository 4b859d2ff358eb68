import type { CallbackUrls } from '../core/callback-urls.ts';
import { checkSignature, sign } from './signature.ts';

/** How long an address beyond loopback is good where its interaction has no deadline: a week. */
const LIFETIME_MS = 7 * 24 * 3600 * 1000;

/**
 * Addresses that nobody can guess: each has a proof of 256 bits, made from the id with the secret. Those that `expire` are good
 * until the deadline of their interaction.
 */
export function createCallbackUrls({
  secret,
  isExpiring,
  host,
}: {
  secret: string;
  isExpiring: boolean;
  /** Stands in the addresses instead of the host that the daemon is called by itself. */
  host?: string | undefined;
}): CallbackUrls {
  return {
    toUrl: (baseUrl, { id, expiresAt, createdAt }) => {
      const until = expiresAt === undefined ? Date.parse(createdAt) + LIFETIME_MS : Date.parse(expiresAt);
      const query = sign(secret, id, isExpiring ? Math.ceil(until / 1000) : undefined);
      const base = host === undefined ? baseUrl : withHost(baseUrl, host);
      return `${base}/callback/${id}?${new URLSearchParams({ ...query }).toString()}`;
    },
    check: (id, query) => checkSignature(secret, id, query, Date.now()),
  };
}

function withHost(baseUrl: string, host: string): string {
  const url = new URL(baseUrl);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  return url.origin;
}
