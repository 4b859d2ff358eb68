/** The time zones that this browser knows. Other programs may know more, so the chosen one is always among them. */
export function listTimeZones(chosen: string): string[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return known.includes(chosen) ? known : [chosen, ...known];
}
