import type { WebSocket } from '@fastify/websocket';

/** Replies after which a frame is sent, so that the client reads some while others are written. */
const FULL_FRAME_REPLIES = 16;
/** The same for a few that are large. */
const FULL_FRAME_CHARS = 262_144;
/** With more bytes than this on their way, the client reads too slowly, and nothing more is taken from it. */
const MUCH_BYTES = 4_194_304;
/** With more than this it is cut off: waits that end together must not fill the memory. */
const MOST_BYTES = 67_108_864;

/** What a writer needs to know of its line. */
interface FrameWriterOptions {
  /** Whether the client may still get anything. Asked before each frame. */
  isAllowed: () => true | Promise<boolean>;
  /** How long a client may read nothing while there is much for it. */
  slowReaderMs: number;
}

/** Sends replies in frames: what is ready in one turn of the event loop goes together. */
export class FrameWriter {
  readonly #socket: WebSocket;
  readonly #options: FrameWriterOptions;
  #frame = '';
  #replies = 0;
  #isPlanned = false;
  #isChecking = false;
  #slow: NodeJS.Timeout | undefined;
  #idle: (() => void) | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(socket: WebSocket, options: FrameWriterOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.once('close', () => {
      clearTimeout(this.#slow);
      this.#room?.resolve();
    });
  }

  /** Whether the client can still be told anything. */
  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether the client reads too slowly. Nothing is taken from it then. */
  get isSlow(): boolean {
    return this.#slow !== undefined;
  }

  /** Resolves when the client has read enough for large replies, or is gone; `undefined`: there is room. */
  whenRoom(): Promise<void> | undefined {
    if (!this.isOpen || this.#socket.bufferedAmount + this.#frame.length <= MUCH_BYTES) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Adds a reply whose body is JSON already. */
  write(ref: number, status: number, json: string): void {
    if (!this.isOpen) return;
    this.#frame += `${this.#frame === '' ? '[' : ','}[${ref},${status},${json}]`;
    this.#replies += 1;
    if (this.#replies >= FULL_FRAME_REPLIES || this.#frame.length >= FULL_FRAME_CHARS) return this.#send();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // After what runs now and the promises that it settles.
    process.nextTick(this.#onTurn);
  }

  /** Runs `task` when everything is sent. */
  whenSent(task: () => void): void {
    if (this.#frame === '') task();
    else this.#idle = task;
  }

  readonly #onTurn = (): void => {
    this.#isPlanned = false;
    this.#send();
  };

  #send(): void {
    if (this.#frame === '') return;
    if (this.#isChecking) return this.#frame.length > MOST_BYTES ? this.#socket.terminate() : undefined;
    const isAllowed = this.#options.isAllowed();
    if (isAllowed === true) return this.#sendFrame();
    this.#isChecking = true;
    isAllowed.then(
      (isValid) => {
        this.#isChecking = false;
        if (isValid) this.#sendFrame();
      },
      () => this.#socket.terminate(), // Without replies the line is useless.
    );
  }

  #sendFrame(): void {
    const frame = `${this.#frame}]`;
    this.#frame = '';
    this.#replies = 0;
    this.#socket.send(frame, this.#onSent);
    if (this.#socket.bufferedAmount > MUCH_BYTES) this.#slowDown();
    this.#idle?.();
  }

  #slowDown(): void {
    if (this.#socket.bufferedAmount > MOST_BYTES) return this.#socket.terminate();
    if (this.#slow !== undefined) return;
    this.#socket.pause();
    this.#slow = setTimeout(() => this.#socket.terminate(), this.#options.slowReaderMs);
  }

  readonly #onSent = (): void => {
    if (this.#socket.bufferedAmount > MUCH_BYTES) return void this.#slow?.refresh();
    this.#room?.resolve();
    this.#room = undefined;
    if (this.#slow === undefined) return;
    clearTimeout(this.#slow);
    this.#slow = undefined;
    this.#socket.resume();
  };
}
