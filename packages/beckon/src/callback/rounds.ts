import type { Json } from '../protocol/json.ts';
import type { CallbackEvent } from './callback.ts';

/**
 * The rounds of one callback, each with its event: in this process (`MemoryRounds`) or on a Beckon (`DurableRounds`).
 */
export interface Rounds {
  /** The id of the present round. */
  readonly id: string;
  open(components: Json, timeoutMs: number): Promise<void>;
  callbackUrl(): string;
  awaitEvent(timeoutMs: number, signal?: AbortSignal): Promise<CallbackEvent>;
  close(): Promise<void>;
}
