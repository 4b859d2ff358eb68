import type { Dispatcher } from 'undici';

/** A reply, as far as it arrived. */
export interface Reply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body. */
  text: string;
}

interface ExchangeOptions {
  /** The longest time from the first to the last byte. */
  timeoutMs: number;
  /** How much of the body is read. */
  replyBytes: number;
  /** Breaks it off. */
  signal?: AbortSignal | undefined;
}

type Controller = Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>[0];

/**
 * Sends one request. It resolves once a status has arrived, even if the body breaks off, and rejects without one.
 * `dispatcher.request` would add a stream and a signal for each reply, and that slows down the hooks received
 * meanwhile.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, replyBytes, signal }: ExchangeOptions,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let reply: Omit<Reply, 'text'> | undefined;
    let controller: Controller | undefined;
    let isEnded = false;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (error: Error): void => {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (reply === undefined) reject(error);
      else resolve({ ...reply, text: Buffer.concat(chunks).toString() });
    };
    const breakOff = (error: Error): void => {
      end(error);
      controller?.abort(error);
    };
    const abort = (): void => breakOff(new Error('It was broken off'));
    const timer = setTimeout(() => breakOff(new Error(`no reply within ${timeoutMs / 1000} s`)), timeoutMs);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (isEnded) controller.abort(new Error('Nobody waits for the reply any more'));
      },
      onResponseStart(_controller, status, headers) {
        // A 1xx status is not the reply yet.
        if (status >= 200) reply = { status, headers };
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > replyBytes) breakOff(new Error('The reply is too long'));
      },
      onResponseEnd: () => end(new Error('The reply has no status')),
      onResponseError: (_controller, error) => end(error),
    });
  });
}
