import { hash } from 'node:crypto';
import { toCanonicalJson } from '../core/canonical-json.ts';
import type { Interaction } from '../protocol/interaction.ts';

/**
 * A digest of kind, chat and request. All asks under one idempotency key must have the same. What the agent can do with
 * an answer does not count: after an update, an adapter that asks again may say more about that.
 */
export function toRequestDigest({ kind, chatId, request }: Pick<Interaction, 'kind' | 'chatId' | 'request'>): string {
  return hash('sha256', toCanonicalJson([kind, chatId, { ...request, abilities: undefined }]), 'base64url');
}
