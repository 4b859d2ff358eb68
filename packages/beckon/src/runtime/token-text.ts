import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The parts of a token: an id that anybody may know, and 256 random bits. */
export interface TokenParts {
  id: string;
  secret: string;
}

/** A new id for a token. Nobody else may choose it: requests remember who asked them by it. */
export function newTokenId(): string {
  return randomBytes(8).toString('hex');
}

/** The secret of a new token. */
export function newTokenSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The text that its holder sends. */
export function toTokenText({ id, secret }: TokenParts): string {
  return `bkn_${id}_${secret}`;
}

/** The parts of a token's text; `null`: it is none. */
export function toTokenParts(text: string): TokenParts | null {
  const [, id, secret] = /^bkn_([0-9a-f]{16})_([\w-]{43})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** What is kept of a secret. */
export function toSecretHash(secret: string): string {
  return hash('sha256', secret);
}

/** Whether the secret has this hash. Takes the same time for every wrong one. */
export function isSecretOf(secret: string, expected: Buffer): boolean {
  return timingSafeEqual(expected, hash('sha256', secret, 'buffer'));
}
