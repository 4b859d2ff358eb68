/** The time left is shown when it is shorter than this. */
export const SHORT_MS = 10 * 60_000;

/** A time span in its largest unit: `12s`, `3m`, `2h`, `4d`. */
export function toSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
