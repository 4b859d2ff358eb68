import type { Readable, Writable } from 'node:stream';

/** Lines up to this size are read. Longer ones are passed on unread, in pieces, so that memory stays bounded. */
const MOST_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Bytes of a stream as they came. `text` is there for a whole line; without it they are a part of one. */
export interface Piece {
  bytes: Buffer;
  text?: string;
  endsLine: boolean;
}

/** Cuts a stream into lines, each with its end. The pieces together are exactly the bytes that came. */
export async function* readLines(source: Readable, mostBytes = MOST_BYTES): AsyncGenerator<Piece> {
  let parts: Buffer[] = [];
  let size = 0;
  let isLong = false;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(LINE_FEED, from);
      const to = at === -1 ? chunk.length : at + 1;
      parts.push(chunk.subarray(from, to));
      size += to - from;
      from = to;
      const endsLine = at !== -1;
      isLong ||= size > mostBytes;
      if (!endsLine && !isLong) continue;
      const bytes = Buffer.concat(parts);
      yield isLong ? { bytes, endsLine } : { bytes, text: bytes.toString(), endsLine };
      parts = [];
      size = 0;
      if (endsLine) isLong = false;
    }
  }
  if (size > 0) yield { bytes: Buffer.concat(parts), endsLine: false };
}

/** Writes what is passed on, and messages of our own between its lines. It never throws; `isGone`: nobody reads. */
export class LineWriter {
  isGone = false;
  readonly #stream: Writable;
  #isInLine = false;
  #waiting: string[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
    const leave = (): void => {
      this.isGone = true;
    };
    stream.on('error', leave).on('close', leave);
  }

  /** Passes bytes on as they are, and waits while the reader is slow. */
  async pass({ bytes, endsLine }: Pick<Piece, 'bytes' | 'endsLine'>): Promise<void> {
    this.#isInLine = !endsLine;
    const isReady = this.#write(bytes);
    if (!endsLine) return isReady ? undefined : this.#whenReady();
    for (const line of this.#waiting.splice(0)) this.#write(line);
    if (!isReady) await this.#whenReady();
  }

  /** Sends a message of our own, as soon as no line is half written. */
  send(message: object): void {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
    if (this.#isInLine) this.#waiting.push(line);
    else this.#write(line);
  }

  end(): void {
    if (!this.isGone) this.#stream.end();
  }

  #write(data: Buffer | string): boolean {
    return this.isGone || this.#stream.write(data);
  }

  #whenReady(): Promise<void> {
    if (this.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        for (const event of ['drain', 'close', 'error']) this.#stream.off(event, go);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) this.#stream.on(event, go);
    });
  }
}
