/**
 * Local time for a `datetime-local` input, such as `2026-05-01T10:30`, with seconds if there are any; empty if it is
 * not a time.
 */
export function toLocalDateTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${dropNoSeconds(`${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`)}`;
}

/** The instant of a `datetime-local` input in UTC, or `null`. */
export function fromLocalDateTime(typed: string): string | null {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The time of day for a `time` input, with seconds if there are any. */
export function toLocalTimeOfDay(time: string): string {
  return dropNoSeconds(/^\d\d:\d\d(?::\d\d)?/.exec(time)?.[0] ?? '');
}

/** A time of day with seconds and the local offset, as RFC 3339 requires. */
export function fromLocalTimeOfDay(typed: string, offsetMinutes = -new Date().getTimezoneOffset()): string {
  const seconds = /^\d\d:\d\d$/.test(typed) ? `${typed}:00` : typed;
  if (offsetMinutes === 0) return `${seconds}Z`;
  const minutes = Math.abs(offsetMinutes);
  return `${seconds}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Whether a time has what RFC 3339 requires: seconds and an offset. */
export function isWholeTime(time: string): boolean {
  return /\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(time);
}

function dropNoSeconds(time: string): string {
  return time.replace(/^(\d\d:\d\d):00$/, '$1');
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}
