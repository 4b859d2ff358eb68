import { useEffect, useEffectEvent, useState } from 'react';
import type { Beckon } from '../../../core/beckon.ts';
import type { LogEvent } from '../../../protocol/index.ts';
import { followerOf } from './follower.ts';

/** Events that come close together are read together. */
const GATHER_MS = 40;
/** How long to wait after something could not be read. */
const PAUSE_MS = 2000;

/** What was read last, and why reading failed since. `value` is `undefined` until the first reply. */
export interface LiveValue<Value> {
  value: Value | undefined;
  error: unknown;
}

/**
 * Reads something of a Beckon, and again whenever an event `isAbout` it. `key` names what is read: with another one,
 * the last value is gone.
 */
export function useLive<Value>(
  beckon: Beckon,
  key: string,
  read: () => Promise<Value>,
  isAbout: (event: LogEvent) => boolean,
): LiveValue<Value> {
  const [state, setState] = useState<LiveValue<Value> & { beckon: Beckon; key: string }>();
  const readNow = useEffectEvent(read);
  const matters = useEffectEvent(isAbout);
  useEffect(() => {
    let isLeft = false;
    let isReading = false;
    let isStale = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (): Promise<void> => {
      timer = undefined;
      isReading = true;
      isStale = false;
      try {
        const value = await readNow();
        if (!isLeft) setState({ beckon, key, value, error: undefined });
      } catch (error) {
        if (isLeft) return;
        // What was known stays on the screen.
        setState((before) => {
          const isSame = before?.beckon === beckon && before.key === key;
          return { beckon, key, value: isSame ? before.value : undefined, error };
        });
        timer ??= setTimeout(() => void load(), PAUSE_MS);
      } finally {
        isReading = false;
        if (isStale) gather();
      }
    };
    const gather = (): void => {
      isStale = true;
      if (!isReading && !isLeft) timer ??= setTimeout(() => void load(), GATHER_MS);
    };
    const leave = followerOf(beckon).add({
      onEvent: (event) => {
        if (matters(event)) gather();
      },
      onGap: gather,
    });
    void load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      leave();
    };
  }, [beckon, key]);
  const isCurrent = state?.beckon === beckon && state.key === key;
  return isCurrent ? { value: state.value, error: state.error } : { value: undefined, error: undefined };
}
