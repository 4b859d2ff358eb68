import type { Beckon } from '../core/beckon.ts';
import { RemoteBeckon } from './remote-beckon.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Settings of a Beckon that is reached over HTTP. */
export interface ConnectBeckonOptions extends ConnectOptions {
  /**
   * Hears of each failure that a `wait` or a stream of events survives: it has lost the server and connects again. Default: ignored.
   */
  onError?: (error: unknown) => void;
}

/**
 * Gives the Beckon at `url`, such as `http://127.0.0.1:8228`, with the same interface as `openBeckon`. It connects with the
 * first call. Runs in browsers as well; there, each `wait` and each stream of events takes one of the few connections to a host.
 */
export function connectBeckon(url: string, options: ConnectBeckonOptions = {}): Beckon {
  const { onError = () => undefined } = options;
  return new RemoteBeckon({ ...toHttpSettings(url, options), onError });
}
