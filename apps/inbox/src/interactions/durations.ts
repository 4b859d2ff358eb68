import { texts } from './texts.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time left, as short as possible: `0:42`, `4:05`, `3 h 10 min`, `2 d 4 h`. */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, '0')}`;
  return formatLong(seconds);
}

/** The time left in words, for screen readers. */
export function sayTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < MINUTE) return texts.durations.seconds(seconds);
  if (seconds < HOUR) return texts.durations.minutes(Math.round(seconds / MINUTE));
  if (seconds < DAY) return texts.durations.hours(Math.round(seconds / HOUR));
  return texts.durations.days(Math.round(seconds / DAY));
}

/** How long ago something was, in one unit. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < MINUTE) return texts.durations.justNow;
  if (seconds < HOUR) return texts.durations.shortMinutes(Math.floor(seconds / MINUTE));
  if (seconds < DAY) return texts.durations.shortHours(Math.floor(seconds / HOUR));
  return texts.durations.shortDays(Math.floor(seconds / DAY));
}

/** How long something took: `0.8 s`, `42 s`, `4 min 5 s`, `3 h 10 min`. */
export function formatTook(ms: number): string {
  const seconds = Math.max(0, ms / 1000);
  if (seconds < 10) return texts.durations.shortSeconds(Math.round(seconds * 10) / 10);
  if (seconds < MINUTE) return texts.durations.shortSeconds(Math.round(seconds));
  const whole = Math.round(seconds);
  if (whole >= HOUR) return formatLong(whole);
  return join(
    texts.durations.shortMinutes(Math.floor(whole / MINUTE)),
    whole % MINUTE,
    texts.durations.shortSeconds(whole % MINUTE),
  );
}

function formatLong(seconds: number): string {
  if (seconds < DAY) {
    const minutes = Math.floor((seconds % HOUR) / MINUTE);
    return join(texts.durations.shortHours(Math.floor(seconds / HOUR)), minutes, texts.durations.shortMinutes(minutes));
  }
  const hours = Math.floor((seconds % DAY) / HOUR);
  return join(texts.durations.shortDays(Math.floor(seconds / DAY)), hours, texts.durations.shortHours(hours));
}

function join(first: string, rest: number, second: string): string {
  return rest === 0 ? first : `${first} ${second}`;
}
