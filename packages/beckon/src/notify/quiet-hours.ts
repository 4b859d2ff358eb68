import type { QuietHours } from '../protocol/destination.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * The first instant from `at` on that is not in quiet hours: `at` itself, or their end. Hours are those on the wall in
 * the person's time zone. Where clocks are set forward over the end, they end with the change; where they are set back,
 * an hour that comes twice is quiet twice.
 */
export function toLoudTime(at: number, quiet: QuietHours): number {
  let from = at;
  // A zone changes its clocks at most once or twice within two days.
  for (let changes = 0; changes < 4; changes += 1) {
    const leftMs = toQuietMs(toWallMs(from, quiet.timeZone), quiet);
    if (leftMs === 0) return from;
    const end = from + leftMs;
    const change = findChange(from, end, quiet.timeZone);
    if (change === null) return end;
    from = change;
  }
  return from;
}

/** How long it is quiet from a time on the wall on, if nobody changes the clocks. */
function toQuietMs(wallMs: number, quiet: QuietHours): number {
  const [start, end] = [toDayMs(quiet.from), toDayMs(quiet.to)];
  const time = ((wallMs % DAY_MS) + DAY_MS) % DAY_MS;
  const isQuiet = start < end ? time >= start && time < end : time >= start || time < end;
  return isQuiet ? (end - time + DAY_MS) % DAY_MS : 0;
}

/** The instant, after `from` and up to `to`, at which the clocks of a zone change; `null` if they do not. */
function findChange(from: number, to: number, timeZone: string): number | null {
  const before = toOffsetMs(from, timeZone);
  if (toOffsetMs(to, timeZone) === before) return null;
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (toOffsetMs(middle, timeZone) === before) low = middle;
    else high = middle;
  }
  return high;
}

function toWallMs(at: number, timeZone: string): number {
  return at + toOffsetMs(at, timeZone);
}

/** How far the clocks of a zone are ahead of UTC. */
function toOffsetMs(at: number, timeZone: string): number {
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(minute)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minutes, second) - minute;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= 64) formats.clear();
  formats.set(timeZone, format);
  return format;
}

function toDayMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}
