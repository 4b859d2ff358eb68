import * as z from 'zod/mini';
import { words } from './component.ts';

/**
 * One component as it crosses the wire: its `type`, its props beside it, and a `key` that comes back in the events as `id`.
 * The form `{ type, data: { …props } }` of older agents means the same.
 */
export interface Part {
  type: string;
  key?: string;
  [prop: string]: unknown;
}

/** What an agent shows. The outermost array is a vertical stack, an array in it a row, an array in that a stack, and so on. */
export type Tree = Part | readonly Tree[];

/** What stands inside a component: text, or components. */
export type Slot = string | Tree;

/** Levels of arrays and components inside each other. */
export const MOST_DEPTH = 32;
/** Components in one tree. */
export const MOST_PARTS = 5000;

/** A place for text or components. Only its outside is looked at here: `checkTree` looks into it, part by part. */
export const Slot: z.ZodMiniType<Slot> = z.custom<Slot>(
  (value) => typeof value === 'string' || Array.isArray(value) || isPart(value),
  'expected a text, a component or an array of components',
);
words.add(Slot, { $ref: '#/$defs/content' });

/** Whether it is an object with a `type`. */
export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
