/** A JSON value as a text that is the same for the same value, whatever the order of its fields. */
export function toJsonKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJsonKey).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields
    .map(([name, inner]) => `${JSON.stringify(name)}:${toJsonKey(inner)}`)
    .sort()
    .join()}}`;
}
