import { toForeignReply } from './failures.ts';
import type { LogConnection, LogMessage } from './log-connection.ts';

/** What a stream tells its line. */
interface StreamNotes {
  /** So many events were read, and as many more may come. */
  read(events: number): void;
  /** Nobody reads it any more. */
  leave(): void;
}

/** The log over a line. The server sends no more than a little ahead of the reader, so a slow one fills no memory. */
export class LineStream implements LogConnection {
  readonly #baseUrl: string;
  readonly #notes: StreamNotes;
  #unread: LogMessage[] = [];
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(baseUrl: string, notes: StreamNotes) {
    this.#baseUrl = baseUrl;
    this.#notes = notes;
  }

  async read(): Promise<LogMessage[]> {
    while (this.#unread.length === 0) {
      if (this.#failure !== undefined) throw this.#failure.error;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const messages = this.#unread;
    this.#unread = [];
    const events = messages.filter(({ isEvent }) => isEvent).length;
    if (events > 0) this.#notes.read(events);
    return messages;
  }

  close(): void {
    this.end(new Error('The stream is not needed any more'));
  }

  /** Leaves the line. */
  end(reason: unknown): void {
    this.fail(reason);
    this.#notes.leave();
  }

  /** Takes what the server sent: where the stream is, or events. */
  push(body: unknown): void {
    const { at, events } = (body ?? {}) as { at?: unknown; events?: unknown };
    if (Array.isArray(events)) for (const json of events) this.#unread.push({ seq: toSeq(json), isEvent: true, json });
    else if (typeof at === 'number') this.#unread.push({ seq: at, isEvent: false, json: undefined });
    else this.fail(toForeignReply(this.#baseUrl, 'expected events'));
    this.#wake?.();
  }

  /** What came before is still read. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }
}

// Also of an event that only a newer Beckon knows.
function toSeq(json: unknown): number | undefined {
  const { seq } = (json ?? {}) as { seq?: unknown };
  return typeof seq === 'number' ? seq : undefined;
}
