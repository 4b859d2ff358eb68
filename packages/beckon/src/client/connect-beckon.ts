import type { Beckon } from '../core/beckon.ts';
import type { ContextLevel } from '../core/context-level.ts';
import type { Line } from './line.ts';
import { RemoteBeckon } from './remote-beckon.ts';
import { type ConnectOptions, toHttpSettings } from './settings.ts';

/** Settings of a Beckon that is reached over HTTP. */
export interface ConnectBeckonOptions extends ConnectOptions {
  /**
   * Hears of each failure that a `wait` or an event stream survives: it lost the server and reconnects. Default:
   * ignored.
   */
  onError?: (error: unknown) => void;
  /**
   * How much of what surrounds a request is sent: all of it, a `summary` without prompt, conversation and contents of
   * files, or nothing (`off`). Default: all.
   */
  contextLevel?: ContextLevel;
}

/**
 * Gives the Beckon at `url`, such as `http://127.0.0.1:8228`, with the same interface as `openBeckon`. It connects with
 * the first call. It also runs in browsers, where each `wait` and each event stream takes one of the few connections to
 * a host.
 */
export function connectBeckon(url: string, options: ConnectBeckonOptions = {}): Beckon {
  return connectOver(url, options, undefined);
}

/** The same, with a way to open lines where there is one. */
export function connectOver(url: string, options: ConnectBeckonOptions, openLine: OpenLine | undefined): Beckon {
  const { onError = () => undefined, contextLevel = 'full' } = options;
  const settings = toHttpSettings(url, options);
  return new RemoteBeckon({ ...settings, onError, contextLevel, line: openLine?.(settings, onError) });
}

/** Makes the line of a client; it opens with the first call. */
export type OpenLine = (
  settings: { baseUrl: string; token?: string | undefined },
  onError: (error: unknown) => void,
) => Line;
