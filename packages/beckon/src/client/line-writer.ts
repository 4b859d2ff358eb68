import { LINE_LIMITS } from '../protocol/line.ts';
import type { LinePlace, LineSocket } from './line-place.ts';

/** Calls after which a frame is sent, so that the server works on some while others are written. */
const FULL_FRAME_CALLS = 16;

/** Sends calls in frames: what is written in one turn of the event loop goes together. */
export class LineWriter {
  readonly #socket: LineSocket;
  readonly #place: LinePlace;
  #frame = '';
  #calls = 0;
  #isPlanned = false;

  constructor(socket: LineSocket, place: LinePlace) {
    this.#socket = socket;
    this.#place = place;
  }

  /** Adds a call, as JSON. */
  write(text: string): void {
    if (this.#frame.length + text.length > LINE_LIMITS.frameChars) this.#flush();
    this.#frame += `${this.#frame === '' ? '[' : ','}${text}`;
    this.#calls += 1;
    if (this.#calls >= FULL_FRAME_CALLS) return this.#flush();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#place.soon(this.#onTurn);
  }

  /** Forgets what was not sent. */
  clear(): void {
    this.#frame = '';
    this.#calls = 0;
  }

  readonly #onTurn = (): void => {
    this.#isPlanned = false;
    this.#flush();
  };

  #flush(): void {
    if (this.#frame === '') return;
    const frame = `${this.#frame}]`;
    this.clear();
    this.#socket.send(frame);
  }
}
