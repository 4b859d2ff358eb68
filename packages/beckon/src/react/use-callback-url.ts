import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallbackEvent } from './events.ts';
import { type SendOptions, sendEvent } from './send-event.ts';
import { texts } from './texts.ts';

/** How far an event has come. `failed` has `message` for the person; `canRetry` says whether another try makes sense. */
export type SendState =
  | { status: 'idle' }
  | { status: 'sending'; event: CallbackEvent }
  | { status: 'sent'; event: CallbackEvent }
  | { status: 'failed'; event: CallbackEvent; message: string; canRetry: boolean };

/** What `useCallbackUrl` gives. */
export interface CallbackUrl {
  state: SendState;
  /** Sends what the person did. An address takes one event: while one is on its way or has arrived, others are ignored. */
  send: (event: CallbackEvent) => void;
  /** Sends the event that failed once more. */
  retry: () => void;
  /** Begins anew, for an address that takes another event. What is on its way is given up. */
  reset: () => void;
}

const IDLE: SendState = { status: 'idle' };

/**
 * Sends what the person does to a `callback_url`, and tells how far it has come. Another address begins anew; leaving the page
 * ends what is on its way. Without an address nothing is sent.
 */
export function useCallbackUrl(url: string | undefined, options: SendOptions = {}): CallbackUrl {
  const [{ of, state }, setState] = useState<{ of: string | undefined; state: SendState }>({ of: url, state: IDLE });
  const sending = useRef<{ url: string; abort: AbortController } | null>(null);
  const { delaysMs } = options;
  const current = of === url ? state : IDLE;

  const stop = useCallback(() => {
    sending.current?.abort.abort();
    sending.current = null;
  }, []);
  useEffect(() => stop, [url, stop]);

  const start = useCallback(
    (event: CallbackEvent): void => {
      // Two clicks in a row come before the page is drawn again, so that the state cannot tell.
      if (url === undefined || sending.current?.url === url) return;
      const abort = new AbortController();
      sending.current = { url, abort };
      setState({ of: url, state: { status: 'sending', event } });
      void sendEvent(url, event, { ...(delaysMs && { delaysMs }), signal: abort.signal }).then((result) => {
        if (abort.signal.aborted) return;
        if (result.ok) return setState({ of: url, state: { status: 'sent', event } });
        sending.current = null;
        const { status } = result;
        const message =
          status === 404 || status === 409 || status === 410 ? texts.failure[status] : texts.failure.other;
        setState({ of: url, state: { status: 'failed', event, message, canRetry: !result.isFinal } });
      });
    },
    [url, delaysMs],
  );
  const retry = useCallback(() => {
    if (current.status === 'failed') start(current.event);
  }, [current, start]);
  const reset = useCallback(() => {
    stop();
    setState({ of: undefined, state: IDLE });
  }, [stop]);
  return { state: current, send: start, retry, reset };
}
