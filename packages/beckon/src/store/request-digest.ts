import { hash } from 'node:crypto';
import { toCanonicalJson } from '../core/canonical-json.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** A short name for what is asked: kind, chat and request. Under one idempotency key all asks must have the same. */
export function toRequestDigest({ kind, chatId, request }: Pick<Interaction, 'kind' | 'chatId' | 'request'>): string {
  return hash('sha256', toCanonicalJson([kind, chatId, request]), 'base64url');
}
