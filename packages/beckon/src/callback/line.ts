import type { Json } from '../protocol/json.ts';
import type { CallbackEvent } from './callback.ts';

/** A callback that nobody awaits is removed after so long. */
export const ABANDONED_MS = 600_000;
/** How long the server stays after an event, for a second click to hear that it is one and for the next round. */
export const LINGER_MS = 1000;

/** One way in which a callback is kept: in this process, or on a Beckon. */
export interface Line {
  readonly id: string;
  open(components: Json, timeoutMs: number): Promise<void>;
  url(): string;
  wait(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent>;
  close(): Promise<void>;
}
