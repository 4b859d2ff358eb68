/** Whether two JSON values mean the same. The order of keys and `undefined` properties do not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftEntries = Object.entries(left).filter(([, value]) => value !== undefined);
  const rightEntries = new Map<string, unknown>(Object.entries(right).filter(([, value]) => value !== undefined));
  return (
    leftEntries.length === rightEntries.size &&
    leftEntries.every(([key, value]) => isSameJson(value, rightEntries.get(key)))
  );
}
