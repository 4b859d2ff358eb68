import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** The colors of each meaning. */
export const TONES = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-text',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const;

/** The meaning of a badge as a color. The text must say it as well. */
export type Tone = keyof typeof TONES;

/** A short label beside something. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex shrink-0 items-center gap-1 rounded px-1.5 text-xs leading-5 font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
