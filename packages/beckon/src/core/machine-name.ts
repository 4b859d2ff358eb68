/** Longest parts of a name; longer ones are cut. */
const MOST_CHARS = { user: 40, machine: 60 } as const;

/**
 * The name that a machine's token would like to have: `user@machine`. Letters are lower-case and plain, so that no two
 * names differ by what nobody sees.
 */
export function toMachineName({ user, machine }: { user: string; machine: string }): string {
  return `${toPlain(user, MOST_CHARS.user) || 'user'}@${toPlain(machine, MOST_CHARS.machine) || 'machine'}`;
}

/** The wanted name, or else with the first number that is free. `taken` has names in lower case. */
export function toFreeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count += 1) {
    const name = `${wanted}-${count}`;
    if (!taken.has(name)) return name;
  }
}

function toPlain(text: string, chars: number): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .slice(0, chars)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
}
