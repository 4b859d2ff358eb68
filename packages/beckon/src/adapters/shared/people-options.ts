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

/**
 * The input of a call as an object, which is what people are shown. A schema may have made something of it that JSON
 * cannot carry, such as a date: it is shown as the JSON that is saved, so it is the same request after a restart.
 */
export function toShownInput(input: unknown): Record<string, unknown> {
  const shown: unknown = JSON.parse(JSON.stringify(input) ?? 'null');
  const isObject = typeof shown === 'object' && shown !== null && !Array.isArray(shown);
  return isObject ? (shown as Record<string, unknown>) : { input: shown };
}
