/** Says what a value is, shortly: `"yes" (text)`, `3 (number)`, `an array of 2`, `nothing`. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return value.length > 40
        ? `${JSON.stringify(value.slice(0, 40))}… (text, ${value.length} characters)`
        : `${JSON.stringify(value)} (text)`;
    case 'number':
    case 'bigint':
    case 'boolean':
      return `${value} (${typeof value})`;
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `an array of ${value.length}` : 'an object';
    case 'function':
    case 'symbol':
      return `a ${typeof value}`;
  }
}
