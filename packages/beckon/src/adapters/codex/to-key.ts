import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import type { CodexRequest } from './messages.ts';
import type { RequestId } from './rpc.ts';

/** The beginning of the keys of all requests of one Codex: that of this machine, with this folder. */
export function toKeyPrefix(codexHome: string): string {
  return `codex_${toDigest([hostname(), codexHome]).slice(0, 12)}_`;
}

/**
 * The key of what is asked for a request: the same after a restart of Beckon, and another one for everything else. An
 * item may ask twice, as a command that failed in its sandbox does, so the time of the request is a part of it. An
 * elicitation names no item; its number is unique in one process of Codex, which `instance` stands for.
 */
export function toKey(prefix: string, { method, params }: CodexRequest, id: RequestId, instance: string): string {
  return `${prefix}${toDigest([method, params.threadId, params.turnId, ...toParts()]).slice(0, 40)}`;

  function toParts(): unknown[] {
    if (!('itemId' in params)) return [instance, id, params];
    const approvalId = 'approvalId' in params ? (params.approvalId ?? null) : null;
    return [params.itemId, approvalId, 'startedAtMs' in params ? params.startedAtMs : null];
  }
}

function toDigest(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts));
}
