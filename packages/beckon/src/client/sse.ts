/** One block of a stream of server-sent events. A block may set an id, or carry data, or both, or neither. */
export interface SseMessage {
  id?: string;
  /** The lines of `data`, joined. */
  data?: string;
}

/** Reads server-sent events from bytes that arrive in pieces of any size. Incomplete blocks are never returned. */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #line = '';
  #message: SseMessage | undefined;
  #isAfterReturn = false;

  /** Takes the next bytes and returns the blocks that they complete. */
  push(bytes: Uint8Array): SseMessage[] {
    // The decoder joins characters that the network cut in two.
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    // A CR ended a line already; the LF that follows it belongs to the same end.
    if (this.#isAfterReturn && text.startsWith('\n')) text = text.slice(1);
    this.#isAfterReturn = text === '' ? false : text.endsWith('\r');
    const [rest = '', ...more] = text.split(/\r\n|\n|\r/);
    this.#line += rest;
    const messages: SseMessage[] = [];
    for (const next of more) {
      const message = this.#endLine(this.#line);
      if (message !== undefined) messages.push(message);
      this.#line = next;
    }
    return messages;
  }

  #endLine(line: string): SseMessage | undefined {
    if (line === '') {
      const message = this.#message;
      this.#message = undefined;
      return message;
    }
    if (line.startsWith(':')) return undefined;
    const [, field = line, value = ''] = /^([^:]*): ?([^]*)$/.exec(line) ?? [];
    this.#message ??= {};
    if (field === 'id' && !value.includes('\0')) this.#message.id = value;
    if (field === 'data') {
      this.#message.data = this.#message.data === undefined ? value : `${this.#message.data}\n${value}`;
    }
    return undefined;
  }
}
