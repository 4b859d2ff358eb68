import { createHmac, timingSafeEqual } from 'node:crypto';

/** The query of a signed address: until when it is good, in seconds since 1970, and the proof that we made it. */
export interface SignedQuery {
  expires?: string;
  signature: string;
}

/** Signs an id, and the time until which the address is good. The proof has 256 bits. */
export function sign(secret: string | Buffer, id: string, expires?: number): SignedQuery {
  return {
    ...(expires !== undefined && { expires: String(expires) }),
    signature: createHmac('sha256', secret)
      .update(`callback\n${id}\n${expires ?? ''}`)
      .digest('base64url'),
  };
}

/** Whether we made the address, and it is still good. The comparison takes the same time wherever the two differ. */
export function checkSignature(
  secret: string | Buffer,
  id: string,
  query: { expires?: string | null; signature?: string | null },
  nowMs: number,
): 'good' | 'forged' | 'expired' {
  const { expires, signature } = query;
  const until = expires == null || !/^\d{1,12}$/.test(expires) ? undefined : Number(expires);
  if (expires != null && until === undefined) return 'forged';
  const expected = Buffer.from(sign(secret, id, until).signature);
  const received = Buffer.from(signature ?? '');
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 'forged';
  return until !== undefined && until * 1000 <= nowMs ? 'expired' : 'good';
}
