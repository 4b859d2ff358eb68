/** The milliseconds from `now` that a `Retry-After` header asks for; 0 if it asks for nothing. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
