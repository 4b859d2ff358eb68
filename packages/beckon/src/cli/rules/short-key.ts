import { createHash } from 'node:crypto';

/** A key that people can type: the key of an offer is a whole rule. */
export function toShortKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
