import type { Json } from '../protocol/json.ts';
import type { CallbackEvent } from './callback.ts';

/** One way in which a callback is kept: in this process, or on a Beckon. */
export interface Line {
  readonly id: string;
  open(components: Json, timeoutMs: number): Promise<void>;
  url(): string;
  wait(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent>;
  close(): Promise<void>;
}
