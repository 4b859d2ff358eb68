const DAY_MS = 86_400_000;

/** The last days up to today, in UTC, the oldest first; days without a hit are there too. */
export function toLastDays(
  days: readonly { day: string; hits: number }[],
  count: number,
  now: Date,
): { day: string; hits: number }[] {
  const hits = new Map(days.map((one) => [one.day, one.hits]));
  return Array.from({ length: count }, (_, place) => {
    const day = new Date(now.getTime() - (count - 1 - place) * DAY_MS).toISOString().slice(0, 10);
    return { day, hits: hits.get(day) ?? 0 };
  });
}
