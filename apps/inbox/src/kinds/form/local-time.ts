/** `2026-05-01T10:30` of the person's clock, as a `datetime-local` input wants it; empty for what is no time. */
export function toLocalDateTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant of a `datetime-local` input in UTC, or `null`. */
export function fromLocalDateTime(typed: string): string | null {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The time of day as a `time` input wants it. */
export function toLocalTimeOfDay(time: string): string {
  return /^\d\d:\d\d(?::\d\d)?/.exec(time)?.[0] ?? '';
}

/** A time of day with seconds and the offset of the person's clock, as RFC 3339 wants it. */
export function fromLocalTimeOfDay(typed: string, offsetMinutes = -new Date().getTimezoneOffset()): string {
  const seconds = /^\d\d:\d\d$/.test(typed) ? `${typed}:00` : typed;
  if (offsetMinutes === 0) return `${seconds}Z`;
  const minutes = Math.abs(offsetMinutes);
  return `${seconds}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}
