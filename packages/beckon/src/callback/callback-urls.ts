import type { CallbackUrls } from '../core/callback-request.ts';
import { isLoopback } from '../machine/address.ts';
import { checkSignature, sign } from './signature.ts';

/** How long a URL beyond loopback is good if its interaction has no deadline: a week. */
const LIFETIME_MS = 7 * 24 * 3600 * 1000;

/** The callback URLs of a daemon. Each carries a proof of 256 bits, made from the id with the secret. */
export function createCallbackUrls({
  secret,
  isExpiring,
  host,
}: {
  secret: string;
  /** Whether every URL is good only until the deadline of its interaction. Those beyond loopback always are. */
  isExpiring: boolean;
  /** Replaces the host that the daemon itself listens on. */
  host?: string | undefined;
}): CallbackUrls {
  return {
    toUrl: (baseUrl, { id, expiresAt, createdAt }) => {
      const base = host === undefined ? baseUrl : withHost(baseUrl, host);
      const mayExpire = isExpiring || !isLoopback(new URL(base).hostname);
      const until = expiresAt === undefined ? Date.parse(createdAt) + LIFETIME_MS : Date.parse(expiresAt);
      const query = sign(secret, id, mayExpire ? Math.ceil(until / 1000) : undefined);
      return `${base}/callback/${id}?${new URLSearchParams(query).toString()}`;
    },
    check: (id, proof) => checkSignature(secret, id, proof, Date.now()),
  };
}

function withHost(baseUrl: string, host: string): string {
  const url = new URL(baseUrl);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  return url.origin;
}
