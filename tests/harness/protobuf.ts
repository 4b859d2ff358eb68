/** A field of a message of Protocol Buffers: its number, and a whole number, bytes, a text or a message. */
export type Field = readonly [number, number | string | Uint8Array | readonly Field[] | { fixed64: bigint }];

/** Writes a message: as much of the format as Google's push service speaks. */
export function writeProto(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([toVarint(number << 3), toVarint(value)]);
      if (typeof value === 'object' && 'fixed64' in value) {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(value.fixed64);
        return Buffer.concat([toVarint((number << 3) | 1), bytes]);
      }
      const bytes = isFields(value) ? writeProto(value) : Buffer.from(value as string);
      return Buffer.concat([toVarint((number << 3) | 2), toVarint(bytes.length), bytes]);
    }),
  );
}

function isFields(value: string | Uint8Array | readonly Field[]): value is readonly Field[] {
  return Array.isArray(value);
}

/** A number in the format of variable length, which also stands in front of messages. */
export function toVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** The number at an offset, and where it ends; `null` if it is cut off. */
export function readVarint(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let at = start; at < bytes.length; at += 1) {
    value += ((bytes[at] ?? 0) & 127) * 128 ** (at - start);
    if ((bytes[at] ?? 0) < 128) return { value, end: at + 1 };
  }
  return null;
}
