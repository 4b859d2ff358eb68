import { hash } from 'node:crypto';
import type { AskingOptions } from '../../asking/asking-options.ts';

/** How the requests of one run are asked: what every verb takes, except what differs from request to request. */
export type PeopleOptions = Omit<AskingOptions, 'key' | 'id' | 'onAsked'>;

/**
 * The key of one request of a run. The parts are hashed, because ids of other programs may have any length and any
 * characters.
 */
export function toRequestKey(framework: string, ...parts: readonly (string | number)[]): string {
  return `${framework}:${hash('sha256', JSON.stringify(parts))}`;
}

/** The input of a call as an object, which is what people are shown. */
export function toShownInput(input: unknown): Record<string, unknown> {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? (input as Record<string, unknown>) : { input };
}
