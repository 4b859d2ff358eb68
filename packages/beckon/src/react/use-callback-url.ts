import { useCallback, useRef, useState } from 'react';
import type { CallbackEvent } from './events.ts';
import { type SendOptions, sendEvent } from './send-event.ts';
import { texts } from './texts.ts';

/** The state of an event. `failed` has a `message` for the person; `canRetry` says whether a retry makes sense. */
export type SendState =
  | { status: 'idle' }
  | { status: 'sending'; event: CallbackEvent }
  | { status: 'sent'; event: CallbackEvent }
  | { status: 'failed'; event: CallbackEvent; message: string; canRetry: boolean };

/** The result of `useCallbackUrl`. */
export interface CallbackUrl {
  state: SendState;
  /**
   * Sends what the person did. An address takes one event; others are ignored while it is sending and after it
   * arrived.
   */
  send: (event: CallbackEvent) => void;
  /** Sends the failed event again. */
  retry: () => void;
  /**
   * Starts over for an address that takes another event; default the current one. An event that is being sent is still
   * sent, and the address starts over after its reply.
   */
  reset: (url?: string) => void;
}

const IDLE: SendState = { status: 'idle' };

/**
 * Sends what the person does to a `callback_url`, and reports its state. Another address starts over, but an event to
 * the previous one is still sent. Without an address nothing is sent.
 */
export function useCallbackUrl(url: string | undefined, { delaysMs }: SendOptions = {}): CallbackUrl {
  const [states, setStates] = useState<ReadonlyMap<string, SendState>>(new Map());
  // Two quick clicks come before the next render, so the state cannot tell.
  const taken = useRef(new Map<string, 'sending' | 'reset' | 'sent'>());
  const state = (url === undefined ? undefined : states.get(url)) ?? IDLE;

  const send = useCallback(
    (event: CallbackEvent): void => {
      if (url === undefined || taken.current.has(url)) return;
      const tell = (next: SendState): void => setStates((all) => new Map(all).set(url, next));
      taken.current.set(url, 'sending');
      tell({ status: 'sending', event });
      void sendEvent(url, event, delaysMs && { delaysMs }).then((result) => {
        if (taken.current.get(url) === 'reset') {
          // The event belonged to the previous content.
          taken.current.delete(url);
          return tell(IDLE);
        }
        if (result.ok) {
          taken.current.set(url, 'sent');
          return tell({ status: 'sent', event });
        }
        taken.current.delete(url);
        return tell({ status: 'failed', event, message: toMessage(result.status), canRetry: !result.isFinal });
      });
    },
    [url, delaysMs],
  );
  const retry = useCallback(() => {
    if (state.status === 'failed') send(state.event);
  }, [state, send]);
  const reset = useCallback(
    (of: string | undefined = url) => {
      if (of === undefined) return;
      if (taken.current.get(of) === 'sending') taken.current.set(of, 'reset');
      if (taken.current.get(of) === 'reset') return;
      taken.current.delete(of);
      setStates((all) => new Map(all).set(of, IDLE));
    },
    [url],
  );
  return { state, send, retry, reset };
}

function toMessage(status: number | undefined): string {
  return status === 404 || status === 409 || status === 410 ? texts.failure[status] : texts.failure.other;
}
