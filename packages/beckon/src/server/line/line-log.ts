import type { Caller } from '../../core/access.ts';
import type { ServedBeckon } from '../../core/beckon.ts';
import { LINE_LIMITS } from '../../protocol/line.ts';
import { concerns } from '../routes/events.ts';

/** Sends one JSON document of the stream. */
type Send = (json: string) => void;

/** A stream of the log over a line. It reads on only when its reader has read, and so takes nothing from the calls. */
export class LineLog {
  readonly #gone = new AbortController();
  /** The lengths of the events that the reader has not read. */
  readonly #lengths: number[] = [];
  #unreadChars = 0;
  #wake: (() => void) | undefined;
  #passed: number | undefined;
  #told: number | undefined;

  /** Sends events until `end`. Without `after` it first fixes where it starts, and says so. */
  async follow(beckon: ServedBeckon, caller: Caller, after: number | null, send: Send): Promise<void> {
    const start = after ?? (await beckon.lastSeq());
    this.#passed = start;
    this.tell(send);
    for await (const event of beckon.events({ after: start, signal: this.#gone.signal })) {
      this.#passed = event.seq;
      if (!concerns(caller, event)) continue;
      const json = JSON.stringify(event);
      await this.#untilThereIsRoom();
      this.#told = event.seq;
      this.#lengths.push(json.length);
      this.#unreadChars += json.length;
      send(`{"events":[${json}]}`);
    }
  }

  /** Says where the stream is, so that a reader that gets few events does not resume from long ago. */
  tell(send: Send): void {
    if (this.#passed === this.#told || this.#lengths.length > 0) return;
    this.#told = this.#passed;
    send(`{"at":${this.#passed}}`);
  }

  /** The reader has read so many events. */
  noteRead(events: number): void {
    for (const length of this.#lengths.splice(0, events)) this.#unreadChars -= length;
    this.#wake?.();
  }

  end(): void {
    this.#gone.abort();
    this.#wake?.();
  }

  get isOver(): boolean {
    return this.#gone.signal.aborted;
  }

  async #untilThereIsRoom(): Promise<void> {
    while (this.#unreadChars >= LINE_LIMITS.unreadChars) {
      this.#gone.signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
