const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
// Times stand below each other, so all have the same width.
const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_AND_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** Date and time in full, such as for a title. */
export function formatInstant(at: string): string {
  return FULL.format(new Date(at));
}

/** The time of day with seconds. */
export function formatClock(at: string): string {
  return CLOCK.format(new Date(at));
}

/** The day alone. */
export function formatDay(at: string): string {
  return DAY_AND_YEAR.format(new Date(at));
}

/** Short enough for a list: the time if it is today, else the day. */
export function formatShort(at: string, now: Date): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return TIME.format(date);
  return date.getFullYear() === now.getFullYear() ? DAY.format(date) : DAY_AND_YEAR.format(date);
}
