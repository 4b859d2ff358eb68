import * as z from 'zod/mini';
import { must } from './parse.ts';

/** Whether a text is a date, or a date with a time. */
export function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** A date, or a date with a time. */
export const Instant = z.string().check(must('a time such as "2026-01-31T12:00:00Z"', isInstant));
