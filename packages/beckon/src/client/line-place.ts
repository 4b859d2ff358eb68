import type { BeckonError } from '../protocol/errors.ts';

/** A WebSocket as the line uses it. */
export interface LineSocket {
  send(text: string): void;
  /** Whether the process stays for it. */
  hold(isHeld: boolean): void;
  close(): void;
}

/** What a socket tells the line. After `onEnd` it says nothing more. */
export interface LineEars {
  onText(text: string): void;
  /** A sign of life. */
  onSign(): void;
  onEnd(why: string): void;
}

/**
 * What became of an attempt to open a line: a socket, nobody there, a connection that broke before the greeting, a
 * server that wants none, or a token that is not valid.
 */
export type Opened = LineSocket | 'unreachable' | 'broken' | 'refused' | BeckonError;

/** What the line needs of the place that it runs in. */
export interface LinePlace {
  /** Resolves when the server has greeted, or when that will not happen. */
  open(ears: LineEars, signal: AbortSignal): Promise<Opened>;
  /** Runs a task when what runs now, and the promises that it settles, are done. */
  soon(task: () => void): void;
}
