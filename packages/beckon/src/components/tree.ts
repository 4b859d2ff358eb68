import * as z from 'zod/mini';
import { words } from './component.ts';

/**
 * One component on the wire: its `type`, its props, and a `key` that comes back in events as `id`. `{ type, data: {
 * …props } }`, the form of older agents, means the same.
 */
export interface Part {
  type: string;
  key?: string;
  [prop: string]: unknown;
}

/**
 * What an agent shows. The outermost array is a vertical stack, arrays in it are rows, arrays in those stacks again.
 */
export type Tree = Part | readonly Tree[];

/** What is inside a component: text, or components. */
export type Slot = string | Tree;

/** The deepest nesting of arrays and components. */
export const MOST_DEPTH = 32;
/** The most components in one tree. */
export const MOST_PARTS = 5000;

/** A place for text or components. This checks only the outside; `checkTree` checks what is inside, part by part. */
export const Slot: z.ZodMiniType<Slot> = z.custom<Slot>(
  (value) => typeof value === 'string' || Array.isArray(value) || isPart(value),
  'expected a text, a component or an array of components',
);
words.add(Slot, { $ref: '#/$defs/content' });

/** Whether it is an object with a `type`. */
export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
