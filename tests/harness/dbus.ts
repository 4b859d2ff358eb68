/**
 * The wire format of D-Bus, over which programs on Linux speak to their desktop: as much of it as a desktop without a
 * screen needs.
 */
export type DbusValue = number | boolean | string | DbusValue[];

/** A value with its own signature. */
function variant(signature: string, value: DbusValue): DbusValue {
  return [signature, value];
}

export const CALL = 1;
export const RETURN = 2;
export const ERROR = 3;
export const SIGNAL = 4;

/** A message. `fields` are those of its header, by number. */
export interface DbusMessage {
  type: number;
  serial: number;
  path: string;
  interface: string;
  member: string;
  error: string;
  replySerial: number;
  destination: string;
  sender: string;
  signature: string;
  body: DbusValue[];
}

/** The header fields in the order of their numbers, from 1. */
const FIELDS = [
  ['path', 'o'],
  ['interface', 's'],
  ['member', 's'],
  ['error', 's'],
  ['replySerial', 'u'],
  ['destination', 's'],
  ['sender', 's'],
  ['signature', 'g'],
] as const;

const HEAD = 'yyyyuu';
const ALIGNMENTS: Readonly<Record<string, number>> = {
  y: 1,
  g: 1,
  v: 1,
  n: 2,
  q: 2,
  b: 4,
  i: 4,
  u: 4,
  h: 4,
  s: 4,
  o: 4,
  a: 4,
  x: 8,
  t: 8,
  d: 8,
  '(': 8,
  '{': 8,
};

/** The messages at the beginning of the bytes, and how many bytes they take. */
export function readMessages(bytes: Buffer): { messages: DbusMessage[]; read: number } {
  const messages: DbusMessage[] = [];
  let read = 0;
  while (bytes.length - read >= 16) {
    const fieldBytes = bytes.readUInt32LE(read + 12);
    const headBytes = align(16 + fieldBytes, 8);
    const all = headBytes + bytes.readUInt32LE(read + 4);
    if (bytes.length - read < all) break;
    messages.push(readMessage(bytes.subarray(read, read + all), headBytes));
    read += all;
  }
  return { messages, read };
}

function readMessage(bytes: Buffer, headBytes: number): DbusMessage {
  const reader = new Reader(bytes);
  const [, type, , , , serial] = reader.all(HEAD) as number[];
  const message: DbusMessage = {
    type: type ?? 0,
    serial: serial ?? 0,
    path: '',
    interface: '',
    member: '',
    error: '',
    replySerial: 0,
    destination: '',
    sender: '',
    signature: '',
    body: [],
  };
  for (const [number, [, value]] of reader.one('a(yv)') as [number, [string, never]][]) {
    const field = FIELDS[number - 1];
    if (field !== undefined) message[field[0]] = value;
  }
  reader.at = headBytes;
  message.body = reader.all(message.signature);
  return message;
}

/** The bytes of a message. */
export function writeMessage(message: Partial<DbusMessage> & { type: number; serial: number }): Buffer {
  const { type, serial, signature = '', body = [] } = message;
  const content = new Writer();
  content.all(signature, body);
  const fields = FIELDS.flatMap(([name, kind], index) => {
    const value = message[name];
    return value === undefined || value === '' || value === 0 ? [] : [[index + 1, variant(kind, value)]];
  });
  const head = new Writer();
  head.all(`${HEAD}a(yv)`, ['l'.charCodeAt(0), type, 0, 1, content.size, serial, fields]);
  head.align(8);
  return Buffer.concat([head.bytes, content.bytes]);
}

class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  all(signature: string): DbusValue[] {
    return splitTypes(signature).map((type) => this.one(type));
  }

  one(type: string): DbusValue {
    const kind = type.charAt(0);
    this.at = align(this.at, ALIGNMENTS[kind] ?? 1);
    switch (kind) {
      case 'y':
        return this.#bytes.readUInt8(this.#take(1));
      case 'n':
        return this.#bytes.readInt16LE(this.#take(2));
      case 'q':
        return this.#bytes.readUInt16LE(this.#take(2));
      case 'b':
        return this.#bytes.readUInt32LE(this.#take(4)) === 1;
      case 'i':
        return this.#bytes.readInt32LE(this.#take(4));
      case 'u':
      case 'h':
        return this.#bytes.readUInt32LE(this.#take(4));
      case 'x':
        return Number(this.#bytes.readBigInt64LE(this.#take(8)));
      case 't':
        return Number(this.#bytes.readBigUInt64LE(this.#take(8)));
      case 'd':
        return this.#bytes.readDoubleLE(this.#take(8));
      case 's':
      case 'o':
        return this.#text(this.#bytes.readUInt32LE(this.#take(4)));
      case 'g':
        return this.#text(this.#bytes.readUInt8(this.#take(1)));
      case 'v': {
        const inner = this.one('g') as string;
        return variant(inner, this.one(inner));
      }
      case 'a':
        return this.#array(type.slice(1));
      default:
        return this.all(type.slice(1, -1));
    }
  }

  #array(inner: string): DbusValue {
    const size = this.#bytes.readUInt32LE(this.#take(4));
    this.at = align(this.at, ALIGNMENTS[inner.charAt(0)] ?? 1);
    const end = this.at + size;
    const items: DbusValue[] = [];
    while (this.at < end) items.push(this.one(inner));
    return items;
  }

  #text(length: number): string {
    const start = this.#take(length + 1);
    return this.#bytes.toString('utf8', start, start + length);
  }

  #take(size: number): number {
    this.at += size;
    return this.at - size;
  }
}

class Writer {
  readonly #parts: Buffer[] = [];
  size = 0;

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  align(to: number): void {
    this.#add(Buffer.alloc(align(this.size, to) - this.size));
  }

  all(signature: string, values: readonly DbusValue[]): void {
    splitTypes(signature).forEach((type, index) => this.#one(type, values[index] as DbusValue));
  }

  #one(type: string, value: DbusValue): void {
    const kind = type.charAt(0);
    this.align(ALIGNMENTS[kind] ?? 1);
    switch (kind) {
      case 'y':
        return this.#add(Buffer.from([value as number]));
      case 'b':
      case 'u':
        return this.#number(Number(value));
      case 'i': {
        const bytes = Buffer.alloc(4);
        bytes.writeInt32LE(value as number);
        return this.#add(bytes);
      }
      case 's':
      case 'o': {
        const text = Buffer.from(`${value as string}\0`);
        this.#number(text.length - 1);
        return this.#add(text);
      }
      case 'g':
        return this.#add(Buffer.concat([Buffer.from([(value as string).length]), Buffer.from(`${value as string}\0`)]));
      case 'v': {
        const [inner, held] = value as [string, DbusValue];
        this.#one('g', inner);
        return this.#one(inner, held);
      }
      case 'a':
        return this.#array(type.slice(1), value as DbusValue[]);
      case '(':
        return this.all(type.slice(1, -1), value as DbusValue[]);
      default:
        throw new Error(`Expected a type that a desktop sends, got ${type}.`);
    }
  }

  // The length counts from the first item, which may be padded.
  #array(inner: string, items: DbusValue[]): void {
    const length = Buffer.alloc(4);
    this.#add(length);
    this.align(ALIGNMENTS[inner.charAt(0)] ?? 1);
    const start = this.size;
    for (const item of items) this.#one(inner, item);
    length.writeUInt32LE(this.size - start);
  }

  #number(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.#add(bytes);
  }

  #add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.size += bytes.length;
  }
}

function align(offset: number, to: number): number {
  return Math.ceil(offset / to) * to;
}

/** `susa{sv}` has the types `s`, `u`, `s` and `a{sv}`. */
function splitTypes(signature: string): string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const end = endOfType(signature, at);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

function endOfType(signature: string, at: number): number {
  const kind = signature.charAt(at);
  if (kind === 'a') return endOfType(signature, at + 1);
  if (kind !== '(' && kind !== '{') return at + 1;
  let depth = 1;
  let end = at + 1;
  for (; depth > 0; end += 1) {
    if ('({'.includes(signature.charAt(end))) depth += 1;
    if (')}'.includes(signature.charAt(end))) depth -= 1;
  }
  return end;
}
