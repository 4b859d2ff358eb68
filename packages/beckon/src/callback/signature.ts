import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UrlProof, UrlVerdict } from '../core/callback-request.ts';

/** The query that signs an id and the time when the URL expires, in seconds since 1970. The proof has 256 bits. */
export function sign(secret: string | Buffer, id: string, expires?: number): Record<string, string> {
  return {
    ...(expires !== undefined && { expires: String(expires) }),
    signature: toSignature(secret, id, expires),
  };
}

/** Whether we signed the URL, and it is still good. Compares in constant time. */
export function checkSignature(
  secret: string | Buffer,
  id: string,
  { expires, signature }: UrlProof,
  nowMs: number,
): UrlVerdict {
  const until = expires == null || !/^\d{1,12}$/.test(expires) ? undefined : Number(expires);
  if (expires != null && until === undefined) return 'forged';
  const expected = Buffer.from(toSignature(secret, id, until));
  const received = Buffer.from(signature ?? '');
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 'forged';
  return until !== undefined && until * 1000 <= nowMs ? 'expired' : 'good';
}

function toSignature(secret: string | Buffer, id: string, expires: number | undefined): string {
  return createHmac('sha256', secret)
    .update(`callback\n${id}\n${expires ?? ''}`)
    .digest('base64url');
}
